// Prints the time that the import of a module takes in a new process, in milliseconds.
const specifier = globalThis.process.argv[2];
const before = performance.now();
await import(specifier);
console.log(performance.now() - before);
