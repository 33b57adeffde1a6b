// PlatformApi and User, with ky and valibot
export { PlatformApi } from "../../../../src/platform_api.ts";
export { User } from "../../../../src/user.ts";
