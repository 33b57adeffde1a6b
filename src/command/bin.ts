#!/usr/bin/env node
/**
 * The program `guildpass`. Nothing else in the library does something when it is imported.
 *
 * Signals keep their usual effect, so that Ctrl-C ends it at once, whatever it is doing.
 *
 * @module
 */

import process from "node:process";
import { runCommand } from "./command.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  print: console.log,
  complain: console.error,
});
