// logins only: no permissions
export { Discord } from "arctic";
