/**
 * Describes the results of Stryker.
 *
 * @module
 */

/** The part of Stryker's report that is read here. */
export interface Report {
  readonly files: Readonly<Record<string, ReportedFile>>;
}

/** A file with its mutants. */
export interface ReportedFile {
  readonly source: string;
  readonly mutants: readonly ReportedMutant[];
}

/** A change of the source. */
export interface ReportedMutant {
  readonly replacement: string;
  readonly status: string;
  /** The message of the test that failed, among others. */
  readonly statusReason?: string | undefined;
  readonly location: { readonly start: Position; readonly end: Position };
}

/** A place in a file. Both numbers count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A reason why some mutants of a line may survive. */
export interface KnownSurvivors {
  readonly file: string;
  /** The line, without spaces around it. */
  readonly line: string;
  /** The mutations, as {@link Survivor} has them. */
  readonly mutations: readonly string[];
  /** `equivalent` if no test could notice it, `accepted` if none should. */
  readonly kind: string;
  readonly reason: string;
}

/** A mutant that no test noticed. */
export interface Survivor {
  readonly file: string;
  readonly lineNumber: number;
  readonly line: string;
  /** The mutation, as in `a < b → a <= b`. */
  readonly mutation: string;
  readonly known: KnownSurvivors | undefined;
}

/** The results of a folder. */
export interface Results {
  /** The files with mutants. */
  readonly files: readonly string[];
  readonly mutants: number;
  /** The mutants that made a test fail. */
  readonly killed: number;
  /** The mutants with which the tests did not end. */
  readonly timedOut: number;
  readonly survivors: readonly Survivor[];
}

/** Counts the mutants of a report. Those that can't run are left out. */
export function resultsOf(report: Report, known: readonly KnownSurvivors[]): Results {
  const mutants = Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ file, source, mutant }))
  );
  const having = (...statuses: string[]) =>
    mutants.filter(({ mutant }) => statuses.includes(mutant.status));
  const survivors = having("Survived", "NoCoverage");
  const isTimeout = (mutant: ReportedMutant) => mutant.statusReason?.startsWith("Test timed out");
  const hanging = having("Killed").filter(({ mutant }) => isTimeout(mutant)).length;
  const [killed, timedOut] = [
    having("Killed").length - hanging,
    having("Timeout").length + hanging,
  ];
  return {
    files: Object.keys(report.files).sort(),
    mutants: killed + timedOut + survivors.length,
    killed,
    timedOut,
    survivors: survivors
      .map(({ file, source, mutant }) => survivorOf(file, source, mutant, known))
      .sort((a, b) => a.file.localeCompare(b.file) || a.lineNumber - b.lineNumber),
  };
}

function survivorOf(
  file: string,
  source: string,
  { replacement, location: { start, end } }: ReportedMutant,
  known: readonly KnownSurvivors[],
): Survivor {
  const lines = source.split("\n");
  const line = lines[start.line - 1]?.trim() ?? "";
  const original = lines.slice(start.line - 1, end.line)
    .map((text, index, { length }) => index === length - 1 ? text.slice(0, end.column - 1) : text)
    .map((text, index) => index === 0 ? text.slice(start.column - 1) : text)
    .join(" ");
  const mutation = `${oneLine(original)} → ${oneLine(replacement)}`;
  return {
    file,
    lineNumber: start.line,
    line,
    mutation,
    known: known.find((entry) =>
      entry.file === file && entry.line === line && entry.mutations.includes(mutation)
    ),
  };
}

function oneLine(code: string): string {
  const text = code.replace(/\s+/g, " ").trim();
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}

/** Returns the score in words. */
export function scoreText({ mutants, killed, timedOut, survivors }: Results): string {
  const score = (killed + timedOut) / mutants * 100;
  const equivalent = survivors.filter((survivor) => survivor.known?.kind === "equivalent").length;
  return [
    `${mutants} mutants`,
    `${killed} killed`,
    `${timedOut} stopped by a time limit`,
    `${survivors.length} survived, of which ${equivalent} are equivalent`,
    `score ${score.toFixed(1)} %`,
  ].join("; ");
}

/** Returns a line for each survivor without a known reason. */
export function unexplainedSurvivors({ survivors }: Results): string[] {
  return survivors
    .filter((survivor) => !survivor.known)
    .map(({ file, lineNumber, mutation }) => `${file}:${lineNumber} survived: ${mutation}`);
}

/**
 * Returns the section of RESULTS.md about a folder.
 *
 * @param isWhole False if only some files were measured, whose names it then has.
 */
export function sectionOf(
  folder: string,
  results: Results,
  versions: string,
  isWhole = true,
): string {
  const date = new Date().toISOString().slice(0, 10);
  const blocks = [`## ${folder}`, `${date}, ${versions}: ${scoreText(results)}.`];
  if (!isWhole) blocks.push(`Measured were only ${results.files.map(code).join(", ")}.`);
  for (const file of new Set(results.survivors.map(({ file }) => file))) {
    const survivors = results.survivors.filter((survivor) => survivor.file === file);
    blocks.push(`### ${file}`, survivors.map(itemOf).join("\n"));
  }
  return `${blocks.join("\n\n")}\n`;
}

function itemOf({ line, mutation, known }: Survivor): string {
  const reason = known ? `${known.kind}: ${known.reason}` : "not looked at yet";
  return `- ${code(line)}\n  - ${code(mutation)}\n  - ${reason}`;
}

function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** Returns the text of RESULTS.md with new sections. A folder without any is said to be not measured yet. */
export function withSections(
  text: string,
  folders: readonly string[],
  measured: ReadonlyMap<string, string>,
): string {
  const [introduction = "", ...before] = text.split(/^(?=## )/m);
  const sections = folders.map((folder) =>
    measured.get(folder) ??
      before.find((section) => section.startsWith(`## ${folder}\n`)) ??
      `## ${folder}\n\nNot measured yet.\n`
  );
  return [introduction, ...sections].map((section) => section.trim()).join("\n\n") + "\n";
}
