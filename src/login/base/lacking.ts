/**
 * The type by which the compiler names a missing option.
 *
 * @module
 */

import type { KnownScope } from "../../links/scopes.ts";

/**
 * The missing options that other options need; `undefined` if the options may lack `store` or `keepToken`; `never` if nothing is
 * missing.
 *
 * @typeParam Options The type of the options.
 */
export type Lacking<Options> =
  | MayLack<Options, "store" | "keepToken">
  | Needed<Options, "sessionPath" | "appPath", "sessionUser", "publicUser">
  | Needed<Options, "appPath", "appPath", "store">
  | Needed<Options, "backgroundTokens", "backgroundTokens", "store">
  | Needed<Options, "idleTimeout", "idleTimeout", "store">
  | NeededScope<Options, { readonly clientId?: unknown }, "identify", "every login">
  | NeededByMembers<Options>;

/** The needs of the option `members`: the scope only if the store is there, since the compiler's message about both is long. */
type NeededByMembers<Options> = [Needed<Options, "members", "members", "store">] extends [never]
  ? NeededScope<Options, { readonly members: object }, "guilds.members.read", "the option members">
  : Needed<Options, "members", "members", "store">;

/** An option that `By` needs if `With` is there too, if the options have both and lack it for sure; otherwise `never`. */
type Needed<Options, With extends string, By extends string, Name extends string> = With extends
  string
  ? [Options] extends [{ readonly [Key in With | By]: object | string | number | true }]
    ? [Options] extends
      [{ readonly clientId?: unknown } & { readonly [Key in Name]?: null | undefined }]
      ? NeededBy<By, Name>
    : never
  : never
  : never;

/** A text about a scope that `By` needs, if the scopes are known when it is compiled and lack it; otherwise `never`. */
type NeededScope<Options, With, Name extends KnownScope, By extends string> = [Options] extends
  [With & { readonly clientId?: unknown; readonly scope: readonly (infer Asked)[] }]
  // `any` is each scope.
  ? string extends Asked ? never
  : [Extract<Asked, Name | `sdk.${string}`>] extends [never]
    ? { readonly scope: `add ${Name}, which ${By} needs` }
  : never
  : never;

/** The options that the option `By` needs. `undefined` is not one of their values, and no other type is shown. */
type NeededBy<By extends string, Name extends string> = {
  readonly [Key in Name]: By extends string ? never : unknown;
};

/**
 * `undefined` if options may lack one of the names, as in `...(condition ? { store } : {})`; `never` if they have it or lack it for sure.
 *
 * @typeParam Options The type of the options.
 * @typeParam Name The names.
 */
type MayLack<Options, Name extends string> = Name extends string
  ? [Options] extends [{ readonly [Key in Name]: object | boolean | null }] ? never
    // Without the client id, the compiler would compare all names, as for an argument.
  : [Options] extends [{ readonly clientId?: unknown } & { readonly [Key in Name]?: undefined }]
    ? never
  : undefined
  : never;
