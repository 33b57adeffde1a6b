/**
 * Installs a version of Node that the frameworks support.
 *
 * @module
 */

export { installTools as default } from "../../runtimes/tools.ts";
