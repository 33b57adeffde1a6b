import type { NextConfig } from "next";

/** The configuration of new projects. */
const config: NextConfig = { cacheComponents: true };

export default config;
