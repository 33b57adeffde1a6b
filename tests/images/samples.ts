/** The address of the platform's images. */
export const CDN = "https://cdn.discordapp.com";

/** Any id. */
export const ID = "80351110224678912";

export const GUILD = "197038439483310086";

/** The hash of a still image. */
export const STILL = "8342729096ea3675442027381ff50dfe";

/** The hash of an animated image. */
export const MOVING = "a_1269e74af4df7417b13759eae50c83dc";

/** A text that is not an id. */
export const BAD_ID = "../../guilds";
