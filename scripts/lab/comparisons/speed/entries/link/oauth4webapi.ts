// the PKCE challenge only: it has no link builder
export { calculatePKCECodeChallenge } from "oauth4webapi";
