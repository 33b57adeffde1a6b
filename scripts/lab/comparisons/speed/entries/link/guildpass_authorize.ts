// AuthUrl: any login or invite link, with state and PKCE
export { AuthUrl } from "../../../../../../src/links/auth_url.ts";
