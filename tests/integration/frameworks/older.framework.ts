import { describe } from "vitest";
import { testProjects } from "./support/projects.ts";

describe("With the older versions,", () => testProjects("older"));
