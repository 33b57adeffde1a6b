// the token, and the user as a plain Response
export {
  authorizationCodeGrantRequest,
  ClientSecretBasic,
  processAuthorizationCodeResponse,
  protectedResourceRequest,
  validateAuthResponse,
} from "oauth4webapi";
