// the token only: the user is one's own fetch
export { Discord } from "arctic";
