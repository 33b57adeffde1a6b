/**
 * Installs Node, of a version that the frameworks run on.
 *
 * @module
 */

export { installTools as default } from "../../runtimes/tools.ts";
