import { createRouter } from "@tanstack/react-router";
import { routeTree } from "./routeTree.gen";

// deno-lint-ignore explicit-module-boundary-types -- The generated tree has the type
export const getRouter = () => createRouter({ routeTree });
