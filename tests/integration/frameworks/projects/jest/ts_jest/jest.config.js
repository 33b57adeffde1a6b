module.exports = {
  transform: {
    "^.+\\.ts$": "ts-jest",
    "/node_modules/.+\\.js$": ["ts-jest", {
      tsconfig: {
        allowJs: true,
        isolatedModules: true,
        module: "commonjs",
        target: "es2022",
      },
    }],
  },
  transformIgnorePatterns: [
    "/node_modules/(?!\\.pnpm/)(?!(@guildpass|jose|ky)/)",
  ],
  // For imports of "./app.js"
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
};
