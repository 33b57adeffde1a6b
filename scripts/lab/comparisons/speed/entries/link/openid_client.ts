// logins only: no permissions
export { buildAuthorizationUrl, calculatePKCECodeChallenge, Configuration } from "openid-client";
