/**
 * Describes a recipe that `guildpass init` copies.
 *
 * @module
 */

/** A recipe of `examples/frameworks/`. All paths have slashes. */
export interface Recipe {
  /** The word for `guildpass init <word>`. */
  readonly name: string;
  /** The name of the framework. */
  readonly title: string;
  /** The packages that an application with this framework has in `package.json`. */
  readonly packages: readonly string[];
  /** A folder that such an application has, below its source folder. */
  readonly folder?: string;
  /** True for the folder `src/`, if the application has it. */
  readonly isInSource?: true;
  /** The files: paths of the recipe, and paths in the application. */
  readonly files: Readonly<Record<string, string>>;
  /** The files of the home page. They are copied only if none of them exists. */
  readonly homePage?: Readonly<Record<string, string>>;
  /** The files to merge by hand if they exist. */
  readonly merged?: Readonly<Record<string, string>>;
  /** True if Node runs the files without a compiler. */
  readonly isRunByNode?: true;
  /** The env file that the framework reads. */
  readonly envFile: string;
  /** The address of the development server. */
  readonly origin: string;
  /** The path of the callback. */
  readonly callbackPath: string;
  /** The path of the page to open, if the home page is not the recipe's. */
  readonly firstPage: string;
  /** The imported packages, except those of the framework, each with its purpose. */
  readonly imports?: Readonly<Record<string, string>>;
  /** Other steps for this framework: `{src}` is the source folder, `{run}` runs a script. The last one starts the application. */
  readonly steps: readonly string[];
  /** The guide in `docs/`. */
  readonly guide: string;
}
