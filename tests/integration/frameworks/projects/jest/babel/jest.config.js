module.exports = {
  transformIgnorePatterns: [
    "/node_modules/(?!\\.pnpm/)(?!(@guildpass|jose|ky)/)",
  ],
};
