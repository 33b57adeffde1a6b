// the token only: the user is one's own fetch
export { OAuth2Client } from "@badgateway/oauth2-client";
