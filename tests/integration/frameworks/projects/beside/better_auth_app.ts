/**
 * Starts the recipe with Better Auth.
 *
 * @module
 */

import { env } from "node:process";
import { app } from "./better_auth.ts";

const port = Number(env.PORT);
app.listen(port, () => console.log(`http://localhost:${port}`));
