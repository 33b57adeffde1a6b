// logins only: no permissions
export { OAuth2Client } from "@badgateway/oauth2-client";
