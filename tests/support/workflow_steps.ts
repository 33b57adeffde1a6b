/**
 * The steps of GitHub's workflows that run commands.
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";

/** A step that runs commands. */
export interface CommandStep {
  /** The workflow and the step, as in `drift.yml: Compare`. */
  readonly name: string;
  /** The script, for bash. */
  readonly script: string;
  /** Its environment variables with a text of their own, and the names of the others. */
  readonly env: Readonly<Record<string, string>>;
}

const folder = new URL("../../.github/workflows/", import.meta.url);

/** Returns the steps of all workflows that run commands. A step with a value of the matrix is there once for each. */
export function commandSteps(): CommandStep[] {
  return readdirSync(folder).flatMap((file) => {
    const [, ...jobs] = readFileSync(new URL(file, folder), "utf8").split(/^ {2}(?=[\w-]+:\n)/m);
    return jobs.flatMap((job) => stepsOf(file, job));
  });
}

function stepsOf(file: string, job: string): CommandStep[] {
  const [, key = "", list = ""] = /^ {8}(\w+): \[(.*)\]$/m.exec(job) ?? [];
  const values = list.split(", ").map((value) => value.replace(/^"|"$/g, ""));
  const [, ...steps] = job.split(/^ {6}- /m);
  return steps.filter((step) => /^ {8}run: /m.test(step)).flatMap((step) => {
    const name = `${file}: ${/^name: (.*)$/m.exec(step)?.[1] ?? ""}`;
    const ofMatrix = `\${{ matrix.${key} }}`;
    return values.slice(0, step.includes(ofMatrix) ? values.length : 1).map((value) => ({
      name: step.includes(ofMatrix) ? `${name} (${value})` : name,
      script: scriptOf(step),
      env: Object.fromEntries(
        [...step.matchAll(/^ {10}([A-Z_]+): (.*)$/gm)]
          .map(([, name, text = ""]) => [name, text.replace(ofMatrix, value)]),
      ),
    }));
  });
}

function scriptOf(step: string): string {
  const [, block] = /^ {8}run: \|\n((?:(?: {10}.*)?\n)+)/m.exec(step) ?? [];
  if (block !== undefined) return block.replace(/^ {10}/gm, "");
  return /^ {8}run: (.*)$/m.exec(step)?.[1] ?? "";
}
