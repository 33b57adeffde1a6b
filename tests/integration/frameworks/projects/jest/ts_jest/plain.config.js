module.exports = {
  // The configuration of Nest's starter.
  transform: { "^.+\\.(t|j)s$": "ts-jest" },
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
};
