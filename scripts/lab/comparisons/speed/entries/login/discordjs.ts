// the whole REST and gateway API
export { Client } from "discord.js";
