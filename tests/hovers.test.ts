import { describe, expect, test } from "vitest";
import deno from "../deno.json" with { type: "json" };
import { type PermissionName, Permissions, type PresetName } from "../mod.ts";
import { type PermissionInfo, permissionInfo } from "../src/permissions/permission_info.ts";
import { type Hover, hoversOfExports } from "./support/editor.ts";

const hovers = hoversOfExports(Object.values(deno.exports).map((path) => `.${path}`));

/** The tags that the documentation uses. An `@` in another place, such as a package's name, would begin a tag and end the text. */
const knownTags = [
  "default",
  "example",
  "internal",
  "param",
  "returns",
  "see",
  "throws",
  "typeParam",
];

/** The methods that only the library or a runtime calls. */
const ownMethods =
  /^(?:\w+Client|CookieJar|D1Statement|SqliteStatement|DenoKvOperation|ConnectionState|OutgoingResponse|StoredEntry\w*|TokenApi)\./;

describe("The text that an editor shows over an export, an option or a method", () => {
  test("is there for every one of them", () => {
    expect(hovers.length).toBeGreaterThan(1_000);
    const names = hovers.map(({ name }) => name);
    expect(names).toContain("Login");
    expect(names).toContain("Login.session");
    expect(names).toContain("BaseLoginOptions.secret");
    expect(names).toContain("SessionState.endsAt");
    expect(hovers.filter(({ text }) => text === "").map(({ name }) => name)).toEqual([]);
  });

  test("ends with a sentence, and is not cut", () => {
    expect(hovers.flatMap(faultsOf)).toEqual([]);
  });

  test("has code in its examples first, because a caption makes an editor drop the indentation", () => {
    const examples = hovers.flatMap(({ name, tags }) =>
      tags.filter((tag) => tag.name === "example").map(({ text }) => ({ name, text }))
    );
    expect(examples.length).toBeGreaterThan(50);
    expect(examples.filter(({ text }) => !text.startsWith("```"))).toEqual([]);
  });

  test("names the LoginError of each method of Login that reads the URL of a request", () => {
    const methods = hovers.filter(({ name, parameters }) =>
      name.startsWith("Login.") && name !== "Login.handle" && parameters.includes("request")
    );
    expect(methods.length).toBeGreaterThan(5);
    const silent = methods.filter(({ tags }) =>
      !tags.some(({ text }) => /\{LoginError\}[^]*"insecure_site"/.test(text))
    );
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test("describes each parameter", () => {
    const missing = hovers.filter(({ name, text }) => !ownMethods.test(name) && !/^See /.test(text))
      .flatMap(({ name, tags, parameters }) => {
        const described = tags.filter((tag) => tag.name === "param")
          .map((tag) => tag.text.split(" ")[0]);
        return parameters.filter((one) => !described.includes(one)).map((one) => `${name}: ${one}`);
      });
    expect(missing).toEqual([]);
  });

  test("begins with the unit of each time", () => {
    const times =
      /\.(?:\w*(?:imeout|Age|For|Lifetime|olerance|At|_at|_until|Ms)|(?:refresh|started)Before|age|delay|slow|milliseconds|retryAfter|expires_in|exp|iat|auth_time)$/;
    const found = hovers.filter(({ name }) => times.test(name));
    expect(found.length).toBeGreaterThan(50);
    const withoutUnit = found.filter(({ text }) =>
      !/seconds|ISO 8601|^Always/.test(text.split(/\.\s/)[0] ?? "")
    );
    expect(withoutUnit.map(({ name }) => name)).toEqual([]);
  });

  test("lists the permissions of each preset", () => {
    for (const [name, value] of Object.entries(Permissions.presets)) {
      const { text = "" } = hovers.find((hover) => hover.name === `Permissions.${name}`) ?? {};
      const listed = [...text.matchAll(/`([a-z_]+)`/g)].map(([, word]) => word)
        .filter((word) => word !== name);
      expect(listed, name).toEqual(new Permissions(value).toArray());
    }
  });

  test.each<[PresetName, (info: PermissionInfo) => boolean]>([
    ["allChannel", ({ channels }) => channels.length > 0],
    ["elevated", ({ elevated }) => elevated],
  ])("says that the preset %s does not have all of its kind", (preset, isOfKind) => {
    const names = Object.entries(permissionInfo).filter(([, info]) => isOfKind(info))
      .map(([name]) => name as PermissionName);
    expect(new Permissions(Permissions.presets[preset]).missing(names)).not.toEqual([]);
    const { text = "" } = hovers.find((hover) => hover.name === `Permissions.${preset}`) ?? {};
    expect(text).toMatch(/: most permissions that .*, but not newer ones\./);
  });

  test.each(["Login.start", "BaseLoginOptions.prompt", "BaseLoginOptions.backgroundTokens"])(
    "leaves the edge cases of %s to a guide",
    (name) => {
      const { text = "" } = hovers.find((hover) => hover.name === name) ?? {};
      expect(text).toContain("https://guildpass.github.io/sdk/docs/");
      expect(text.length).toBeLessThan(450);
    },
  );

  test("is found to be cut by an @ between two words", () => {
    const text = "Random text, as `npx";
    const tags = [{ name: "guildpass", text: "/sdk secret` prints it." }];
    expect(faultsOf({ name: "secret", text, tags, parameters: [] })).toEqual([
      "secret ends with: Random text, as `npx",
      "secret is open: Random text, as `npx",
      "secret has the tag @guildpass",
      "secret is open: /sdk secret` prints it.",
    ]);
  });

  test("is found to lack a default that is only a link, and the end of a name before an asterisk", () => {
    const tags = [{ name: "default", text: "{@link sampleUsers }" }];
    expect(faultsOf({ name: "users", text: "The header `Sec-Fetch-`.", tags, parameters: [] }))
      .toEqual([
        "users is cut: The header `Sec-Fetch-`.",
        "users has a default that is a link: {@link sampleUsers }",
      ]);
  });
});

function faultsOf({ name, text, tags }: Hover): string[] {
  return [
    ...(/(?:[.?!:)"]|```)$/.test(text.trimEnd()) ? [] : [`${name} ends with: ${text}`]),
    ...(isOpen(text) ? [`${name} is open: ${text}`] : []),
    ...(/`(?!__)[\w-]+-`/.test(text) ? [`${name} is cut: ${text}`] : []),
    ...tags.flatMap((tag) => [
      ...(tag.name === "default" && tag.text.startsWith("{@link")
        ? [`${name} has a default that is a link: ${tag.text}`]
        : []),
      ...(knownTags.includes(tag.name) ? [] : [`${name} has the tag @${tag.name}`]),
      ...(tag.name !== "example" && isOpen(tag.text) ? [`${name} is open: ${tag.text}`] : []),
    ]),
  ];
}

/** Returns true if a code, a bracket or a brace of a text has no end. */
function isOpen(text: string): boolean {
  const prose = text.replace(/```[^]*?```/g, "").replace(/`[^`]*`/g, "");
  return prose.includes("`") || count(prose, "(") !== count(prose, ")") ||
    count(prose, "{") !== count(prose, "}");
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
