// the whole REST API
export { API } from "@discordjs/core/http-only";
export { REST } from "@discordjs/rest";
