import { readFileSync } from "node:fs";
import { appendFile, readdir } from "node:fs/promises";
import { defineConfig, type HeadConfig, type PageData } from "vitepress";
import library from "../../../deno.json" with { type: "json" };
import { descriptionOf, headingId, repository, siteAddress } from "../guides.ts";
import { changeMarkdown, codeColors, colorRules } from "../markdown.ts";
import { miniSearch, sectionsOf } from "../search.ts";

const sidebar = new URL("../dist/pages/sidebar.json", import.meta.url);

/** Pages with tables that are wider than the text. */
const widePages = ["docs/comparison.md", "docs/using_tokens.md"];

/** The message if the files of the search are missing, such as after a new version of the site. */
const searchFailed = "Search couldn't load. Reload the page.";

/** Changes to components of the theme, most for mistakes that axe-core finds, the others for smaller pages. */
const themeChanges: Readonly<
  Record<string, readonly (readonly [before: string, after: string])[]>
> = {
  "NotFound.vue": [
    ['<div class="NotFound">', '<div class="NotFound" role="main">'],
    ["withBase(currentLang.link)", "withBase('/docs/README.html')"],
  ],
  "VPHome.vue": [['class="VPHome"', 'role="main" class="VPHome"']],
  // The heading of a group that opens is its button. The arrow and other headings are not buttons.
  "VPNavBar.vue": [
    ['<VPNavBarExtra class="extra" />', '<ClientOnly><VPNavBarExtra class="extra" /></ClientOnly>'],
  ],
  // A browser doesn't load the picture for the other theme, which is hidden.
  "VPImage.vue": [['class="VPImage"', 'class="VPImage" loading="lazy"']],
  // A script fills it.
  "VPDocAside.vue": [
    ["<VPDocAsideOutline />", "<ClientOnly><VPDocAsideOutline /></ClientOnly>"],
  ],
  // When it is mounted, the page has its content already.
  "VPDocAsideOutline.vue": [
    ["import { ref, shallowRef } from 'vue'", "import { onMounted, ref, shallowRef } from 'vue'"],
    [
      "const container = ref()",
      `onMounted(() => { headers.value = getHeaders(frontmatter.value.outline ?? theme.value.outline) })
const container = ref()`,
    ],
  ],
  // Each page would repeat the whole list, which one script has for all of them. Without scripts, a page links to its overview, and to its
  // neighbors or its module. The overview and the module list all pages.
  "VPSidebar.vue": [
    ["import { inBrowser } from 'vitepress'", "import { inBrowser, useData } from 'vitepress'"],
    [
      "import { ref, watch } from 'vue'",
      "import { computed, nextTick, onMounted, ref, watch } from 'vue'",
    ],
    [
      "const { sidebarGroups, hasSidebar } = useSidebar()",
      `const { sidebarGroups, hasSidebar } = useSidebar()
const { page } = useData()
const isMounted = ref(false)
onMounted(async () => {
  isMounted.value = true
  await nextTick()
  navEl.value?.querySelector('.is-active > .item > a')?.scrollIntoView({ block: 'nearest' })
})
const shownGroups = computed(() => isMounted.value ? sidebarGroups.value : sidebarGroups.value.flatMap((group) => {
  if (group.link === '/api/') {
    return { ...group, items: group.items.filter(({ items }) => items).map(({ text, link }) => ({ text, link })) }
  }
  const isHere = group.items?.some(({ link }) => link === '/' + page.value.relativePath)
  return group.link || isHere ? group : []
}))`,
    ],
    [':items="sidebarGroups"', ':items="shownGroups"'],
  ],
  // Names without a space break between their words.
  "VPDocOutlineItem.vue": [
    [
      ">{{ title }}<",
      `>{{ title.replace(/^\\S+$/, (name) => name.replace(/(_|\\p{Ll}(?=\\p{Lu}))/gu, "$1\\u200b")) }}<`,
    ],
  ],
  "VPSidebarItem.vue": [
    [
      'v-html="item.text"',
      `v-html="item.text.replace(/^\\S+$/, (name) => name.replace(/(\\p{Ll})(?=\\p{Lu})/gu, '$1<wbr>'))"`,
    ],
    ['role="button"', ""],
    ['aria-label="toggle section"', ""],
    ['tabindex="0"', ""],
    [':tabindex="item.items && 0"', ':tabindex="item.collapsed == null ? undefined : 0"'],
    [
      ':role="itemRole"',
      ':role="item.collapsed == null ? undefined : itemRole" :aria-expanded="item.collapsed == null ? undefined : !collapsed"',
    ],
  ],
  // The index loads before the first search begins, and the box before that: otherwise the first letters after "/" would be lost.
  "VPNavBarSearch.vue": [
    ["defineAsyncComponent,", "defineAsyncComponent, h,"],
    [
      "defineAsyncComponent(() => import('./VPLocalSearchBox.vue'))",
      `defineAsyncComponent({
      loader: () => import('./VPLocalSearchBox.vue'),
      errorComponent: () => h('p', { role: 'alert', class: 'search-failed' }, "${searchFailed}")
    })`,
    ],
    [
      "const showSearch = ref(false)",
      `const showSearch = ref(false)
// The box says it if one of them fails.
function preload() {
  import('./VPLocalSearchBox.vue').catch(() => {})
  import('@localSearchIndex').then(({ default: { root } }) => root()).catch(() => {})
}
onMounted(() => {
  const whenIdle = window.requestIdleCallback || setTimeout
  whenIdle(() => import('./VPLocalSearchBox.vue').catch(() => {}))
})`,
    ],
    [
      '<div id="local-search">',
      '<div id="local-search" @focusin="preload" @pointerenter="preload">',
    ],
  ],
  "VPNavBarSearchButton.vue": [
    // The style sheet has the letter, since the name of the button is "Search".
    ['<kbd class="DocSearch-Button-Key">K</kbd>', '<kbd class="DocSearch-Button-Key k"></kbd>'],
  ],
  "VPLocalSearchBox.vue": [
    ['role="button"', 'role="dialog" aria-modal="true"'],
    [":aria-owns=\"results?.length ? 'localsearch-list' : undefined\"", ""],
    ['aria-expanded="true"', ""],
    ['aria-haspopup="listbox"', ""],
    // The links are the options, since an option can't contain a link.
    [":id=\"'localsearch-item-' + index\"", 'role="none"'],
    ['role="option"', ""],
    [":aria-selected=\"selectedIndex === index ? 'true' : 'false'\"", ""],
    [
      ":aria-label=\"[...p.titles, p.title].join(' > ')\"",
      `:id="'localsearch-item-' + index" role="option" :aria-selected="selectedIndex === index"`,
    ],
    [
      'aria-autocomplete="both"',
      'role="combobox" aria-autocomplete="list" :aria-expanded="results.length > 0"',
    ],
    [
      '<div class="search-keyboard-shortcuts">',
      `<p class="visually-hidden" role="status">{{
          enableNoResults && filterText ? results.length + (results.length === 1 ? ' result' : ' results') : ''
        }}</p>
        <div class="search-keyboard-shortcuts">`,
    ],
    [
      ":title=\"translate('modal.displayDetails')\"",
      ':title="translate(\'modal.displayDetails\')" :aria-pressed="showDetailedList"',
    ],
    [
      "onKeyStroke('Escape', () => {\n  emit('close')",
      "onKeyStroke('Escape', () => {\n  emit('close')\n  document.querySelector('#local-search button')?.focus()",
    ],
    // A click that opens another tab leaves the box open.
    [
      '@focusin="selectedIndex = index"\n              @click="$emit(\'close\')"',
      `@focusin="selectedIndex = index"
              @click="$event.ctrlKey || $event.metaKey || $event.shiftKey || $emit('close')"`,
    ],
    ["{ done: r }", "{ done: r, exclude: ['.kind'] }"],
    // Enter opens the first result of the present words, even if the search for them has yet to run. Excerpts that arrive later don't
    // change the selected result.
    [
      "const enableNoResults = ref(false)",
      `const enableNoResults = ref(false)
const searched = ref()
let entered
function open({ id }) {
  router.go(id)
  emit('close')
}`,
    ],
    [
      "    enableNoResults.value = true",
      `    enableNoResults.value = true
    searched.value = filterTextValue
    if (entered === filterTextValue && results.value.length) return open(results.value[0])`,
    ],
    [
      "watch(results, (r) => {\n  selectedIndex.value = r.length ? 0 : -1",
      "watch(searched, () => {\n  selectedIndex.value = results.value.length ? 0 : -1",
    ],
    [
      "  const selectedPackage =",
      `  if (e.target === searchInput.value && searched.value !== filterText.value) {
    e.preventDefault()
    entered = filterText.value
    return
  }

  const selectedPackage =`,
    ],
    ["router.go(selectedPackage.id)\n    emit('close')", "open(selectedPackage)"],
    [
      "const searchIndex = computedAsync(",
      "const isFailed = ref(false)\nconst searchIndex = computedAsync(",
    ],
    [
      "searchIndexData.value[localeIndex.value]?.()",
      `searchIndexData.value[localeIndex.value]?.().catch((error) => {
        isFailed.value = true
        throw error
      })`,
    ],
    ["<kbd :aria-label", '<kbd role="img" :aria-label'],
    // A message of an error is longer.
    ['maxlength="64"', 'maxlength="500"'],
    [
      '<span class="title-icon">#</span>',
      '<span class="kind">{{ theme.search.options.miniSearch.kindOf(p.id) }}</span>',
    ],
    [
      '<strong>{{ filterText }}</strong\n            >"',
      `<strong>{{ filterText }}</strong>"
            <p>Try fewer words, the code of an error, or the name of a method.</p>
            <p><a :href="withBase('/docs/README.html')" @click="$emit('close')">See all guides</a></p>`,
    ],
    [
      '<li\n            v-if="filterText && !results',
      `<li v-if="!filterText" class="no-results">Type a task, such as “log out on all devices”, the name of a method, or paste an error message.</li>
          <li v-if="filterText && !searchIndex" class="no-results" aria-live="polite">{{ isFailed ? "${searchFailed}" : "Searching…" }}</li>
          <li
            v-if="filterText && !results`,
    ],
    // The index has words without their endings.
    [
      "`(${escapeRegExp(term)})`",
      "`(\\\\b${escapeRegExp(term)}(?:e?s?|y|ie[sd]|\\\\w?(?:ed|ing))\\\\b)`",
    ],
    [
      "results.value = index\n      .search(filterTextValue)\n      .slice(0, 16) as",
      "results.value = theme.value.search.options.miniSearch.search(index, filterTextValue) as",
    ],
    ["for (const term in r.match)", "for (const term of r.marks)"],
    // Rows of tables are results too.
    [
      "        app.unmount()",
      `        for (const row of div.querySelectorAll('tr[id]')) {
          map.set(row.id, [...row.cells].slice(1).map((cell) => cell.outerHTML).join(''))
        }
        app.unmount()`,
    ],
    // An excerpt has two lines, not the whole section.
    [
      "return { ...r, text }",
      "return { ...r, text: theme.value.search.options.miniSearch.excerptOf(text, Object.keys(r.match)) }",
    ],
    ['<div class="vp-doc" v-html="p.text" />', '<span v-html="p.text" />'],
    ['<div class="excerpt-gradient-bottom" />', ""],
    ['<div class="excerpt-gradient-top" />', ""],
    ["?.scrollIntoView({ block: 'center' })", ""],
    ["{ dataSymbol, inBrowser, useRouter }", "{ dataSymbol, inBrowser, useRouter, withBase }"],
  ],
};

const componentIds = new Map<string, string>();

export default defineConfig({
  title: library.name,
  description: descriptionOf("README.md"),
  lang: "en-US",
  srcDir: "dist/pages",
  srcExclude: ["public"],
  outDir: "../../site",
  cacheDir: "dist/cache",
  metaChunk: true,
  sitemap: { hostname: siteAddress },
  ignoreDeadLinks: "localhostLinks",
  transformHead: ({ page, title, description, siteData }) => {
    const icon: HeadConfig = [
      "link",
      { rel: "icon", type: "image/svg+xml", href: `${siteData.base}logo.svg` },
    ];
    // All of these pages would have the same text and picture.
    if (page.startsWith("api/")) return [icon];
    const names: Readonly<Record<string, string>> = {
      "og:type": "website",
      "og:title": title,
      "og:description": description,
      "og:url": siteAddress + page.replace(/\.md$/, ".html").replace(/(^|\/)index\.html$/, "$1"),
      "og:image": `${siteAddress}social.png`,
      "og:image:alt": "Log in with Discord: the demo of this library",
      "twitter:card": "summary_large_image",
    };
    return [
      icon,
      ...Object.entries(names).map(([property, content]): HeadConfig => {
        return ["meta", { [property.startsWith("og") ? "property" : "name"]: property, content }];
      }),
    ];
  },
  transformPageData(page) {
    const { relativePath, frontmatter } = page;
    if (/^docs|^[A-Z]/.test(relativePath)) page.description = descriptionOf(relativePath);
    // Its code wraps.
    if (relativePath.startsWith("api/")) frontmatter["pageClass"] = "api";
    if (widePages.includes(relativePath)) frontmatter["pageClass"] = "wide";
  },
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    anchor: { slugify: headingId },
    config: changeMarkdown,
    codeTransformers: [codeColors],
  },
  async buildEnd({ outDir }) {
    const folder = `${outDir}/assets`;
    const [name = ""] = (await readdir(folder)).filter((name) => /^style\..*\.css$/.test(name));
    await appendFile(`${folder}/${name}`, colorRules());
  },
  vue: {
    features: { componentIdGenerator: shortId },
  },
  vite: {
    plugins: [{
      name: "accessible-theme",
      enforce: "pre",
      transform(code, id) {
        const changes = themeChanges[id.replace(/.*\//, "")];
        return changes?.reduce(
          (text, [before, after]) => replaceIn(text, before, after, id),
          code,
        );
      },
    }],
  },
  themeConfig: {
    logo: "/logo.svg",
    nav: [
      { text: "Guides", link: "/docs/README", activeMatch: "^/(docs/|[A-Z])" },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      // A page of its own, which the script of the site can't open.
      { text: "Invite builder", link: "/invite-builder/", target: "_self" },
      { text: `v${library.version}`, link: "/CHANGELOG" },
    ],
    sidebar: JSON.parse(readFileSync(sidebar, "utf8")),
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        miniSearch: { ...miniSearch, _splitIntoSections: sectionsOf },
        detailedView: true,
        // The index needs no colors of code, which take most of the time. Pages need them, and have the same renderer.
        _render(text, environment, markdown) {
          const { highlight = null } = markdown.options;
          markdown.options.highlight = null;
          const html = markdown.render(text, environment);
          markdown.options.highlight = highlight;
          // The words on both sides of a line break are not one word.
          return html.replaceAll("<br>", " ");
        },
      },
    },
    socialLinks: [{ icon: "github", link: repository }],
    // Pages with a sidebar don't show it.
    footer: {
      message: [
        ["Contributing", "CONTRIBUTING.md"],
        ["Security policy", "SECURITY.md"],
        ["MIT license", "LICENSE"],
      ].map(([text, file]) => `<a href="${repository}/blob/main/${file}">${text}</a>`).join(" · "),
    },
    editLink: {
      // It runs in the page too, so it can't use names of this module.
      pattern: ({ filePath, frontmatter }: PageData) =>
        "https://github.com/guildpass/sdk/edit/main/" +
        (frontmatter["source"] ?? filePath),
    },
    notFound: {
      title: "This page doesn't exist",
      quote: "Use the search above, or start from the list of all guides.",
      linkText: "All guides",
      linkLabel: "All guides",
    },
  },
});

/** Returns the id of a component that its elements carry. Pages are smaller with two characters than with eight. */
function shortId(path: string): string {
  const known = componentIds.get(path) ?? componentIds.size.toString(36);
  componentIds.set(path, known);
  return known;
}

/** Replaces a part of a component, which a new version of the theme may not have any more. */
function replaceIn(text: string, before: string, after: string, id: string): string {
  if (!text.includes(before)) throw new Error(`${id} has no ${before}`);
  return text.replaceAll(before, after);
}
