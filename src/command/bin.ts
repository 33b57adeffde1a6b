#!/usr/bin/env node
/**
 * The program `guildpass`. This is the only file of the library that does something when it is imported.
 *
 * It handles no signals, so that Ctrl-C always ends it at once.
 *
 * @module
 */

import process from "node:process";
import { runCommand } from "./command.ts";

process.exitCode = await runCommand(process.argv.slice(2), {
  print: console.log,
  printError: console.error,
  environment: process.env,
});
