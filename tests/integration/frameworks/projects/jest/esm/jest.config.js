// Jest needs to transform no module.
module.exports = { transform: {}, testRegex: "\\.mjs$" };
