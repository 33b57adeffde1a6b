export default {
  transpilePackages: ["@guildpass/sdk", "jose", "ky"],
};
