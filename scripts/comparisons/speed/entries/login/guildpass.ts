// PlatformApi and User, with ky and valibot
export { PlatformApi, User } from "../../../../../src/api/mod.ts";
