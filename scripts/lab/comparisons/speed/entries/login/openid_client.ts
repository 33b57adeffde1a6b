// the token, and the user as a plain Response
export {
  authorizationCodeGrant,
  ClientSecretBasic,
  Configuration,
  fetchProtectedResource,
} from "openid-client";
