#!/usr/bin/env node
/**
 * The program `guildpass`. It is the only module of the library with effects on import.
 *
 * The program does not handle signals, so Ctrl+C always ends it at once.
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
