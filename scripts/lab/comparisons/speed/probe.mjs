// Prints the time that the import of a module takes in a new process, in milliseconds. Node loads its `fetch` when it is first used, so
// that is done before.
const specifier = globalThis.process.argv[2];
new Request("https://app.example/");
const before = performance.now();
await import(specifier);
console.log(performance.now() - before);
