// PlatformApi and User, with ky and valibot
export { PlatformApi } from "../../../../../../src/api/platform_api.ts";
export { User } from "../../../../../../src/api/user.ts";
