// Prints how many milliseconds the import of a module takes in a process that has done nothing else.
const specifier = globalThis.process.argv[2];
const before = performance.now();
await import(specifier);
console.log(performance.now() - before);
