// sessions and a database adapter included
export { betterAuth } from "better-auth/minimal";
