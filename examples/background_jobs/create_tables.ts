/** Creates the tables that are missing. Run it once before a new version starts. @module */

import { database } from "./database.ts";

await database.createTables();
await database.close();
