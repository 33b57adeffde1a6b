import { describe } from "vitest";
import { testProjects } from "./support/projects.ts";

describe("With the newest versions,", () => testProjects("newest"));
