// PlatformApi and User, with ky and valibot
export { PlatformApi } from "../../../../src/server/platform_api.ts";
export { User } from "../../../../src/server/user.ts";
