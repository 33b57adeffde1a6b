/**
 * Lets Node find the packages that the library imports by `npm:` specifiers.
 *
 * @module
 */

import { registerHooks } from "node:module";

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.replace(/^npm:((?:@[^/]+\/)?[^@/]+)@[^/]+/, "$1"), context),
});
