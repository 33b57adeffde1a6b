/**
 * Walks the module graph of every source file, and fails when
 *
 * - a client-side module reaches network code or a package;
 * - a package is imported anywhere but in the one module that wraps it;
 * - modules import each other in a circle.
 *
 * ```sh
 * deno run --allow-read --allow-run=deno scripts/check_boundaries.ts
 * ```
 *
 * @module
 */

/** What a page may import: none of these reaches `fetch`, a schema or a package. */
const clientSide = [
  "arguments",
  "errors",
  "links/auth_url",
  "links/callback",
  "links/pkce",
  "links/platform",
  "links/scopes",
  "permissions/info",
  "permissions/permissions",
  "permissions/value",
  "server/resources/models",
].map((name) => `src/${name}.ts`);

const networkCode = ["src/server/http/http.ts", "src/server/resources/schemas.ts"];

/** The one module that may import each package. */
const wrappers: Readonly<Record<string, string>> = {
  "npm:ky": "src/server/http/http.ts",
  "npm:valibot": "src/server/resources/schemas.ts",
};

interface Graph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly error?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier: string };
    }[];
  }[];
}

if (import.meta.main) {
  const edges = await importsOf("mod.ts", ...sourceFiles("src"));
  const problems = [
    ...clientSide.flatMap((module) => leaks(module, edges)),
    ...strayPackages(edges),
    ...circles(edges),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length) Deno.exit(1);
  console.log(
    `${edges.size} modules: no circle, and no way from the client side to network code or a package`,
  );
}

/** What each module imports at run time; types are left out, they are gone by then. */
async function importsOf(...entries: string[]): Promise<Map<string, string[]>> {
  const root = new URL("../", import.meta.url).href;
  const local = (specifier: string) =>
    specifier.startsWith(root) ? specifier.slice(root.length) : specifier;
  const edges = new Map<string, string[]>();
  for (const entry of entries) {
    if (edges.has(entry)) continue;
    for (const module of (await graphOf(entry)).modules) {
      if (module.error) {
        throw new Error(`${local(module.specifier)} does not load: ${module.error}`);
      }
      const imports = module.dependencies?.flatMap(({ code, specifier }) =>
        code ? [specifier.startsWith("npm:") ? specifier : local(code.specifier)] : []
      );
      edges.set(local(module.specifier), imports ?? []);
    }
  }
  return edges;
}

async function graphOf(entry: string): Promise<Graph> {
  const { stdout, success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: new URL("../", import.meta.url),
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

function sourceFiles(folder: string): string[] {
  return [...Deno.readDirSync(new URL(`../${folder}`, import.meta.url))].flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory ? sourceFiles(path) : [path];
  }).sort();
}

/** The way from a client-side module to something it must not reach, if there is one. */
function leaks(module: string, edges: ReadonlyMap<string, readonly string[]>): string[] {
  if (!edges.has(module)) return [`${module} is listed as client-side, but is not there`];
  const ways = [[module]];
  const seen = new Set([module]);
  for (const way of ways) {
    for (const next of edges.get(way.at(-1) ?? "") ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (!next.startsWith("src/") || networkCode.includes(next)) {
        return [`${module} is client-side, but reaches ${[...way, next].join(" -> ")}`];
      }
      ways.push([...way, next]);
    }
  }
  return [];
}

function strayPackages(edges: ReadonlyMap<string, readonly string[]>): string[] {
  return [...edges].flatMap(([module, imports]) =>
    imports
      .filter((specifier) => /^(npm|node|jsr|https?):/.test(specifier))
      .filter((specifier) => wrappers[specifier.replace(/(?<=.)@.*/, "")] !== module)
      .map((specifier) => `${module} imports ${specifier}, which only its wrapper may`)
  );
}

function circles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (module: string, way: readonly string[]): string | undefined => {
    if (way.includes(module)) return [...way.slice(way.indexOf(module)), module].join(" -> ");
    if (done.has(module)) return undefined;
    for (const next of edges.get(module) ?? []) {
      const circle = visit(next, [...way, module]);
      if (circle) return circle;
    }
    done.add(module);
    return undefined;
  };
  for (const module of edges.keys()) {
    const circle = visit(module, []);
    if (circle) return [`Modules import each other in a circle: ${circle}`];
  }
  return [];
}
