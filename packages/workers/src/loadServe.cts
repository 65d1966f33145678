// What piscina loads on a thread: CommonJS, because piscina calls `require` first. Node 22 and 24 load an ES module by
// `require` in one piece, and the process aborts (`v8::Module::IsGraphAsync`) if the thread is terminated meanwhile.
// `import` may be interrupted at any time. Loaded by path, never imported.

// oxlint-disable-next-line typescript/consistent-type-imports -- CommonJS: an import statement would be a `require`
type Serve = typeof import('./serve.ts').serve;

const serve: Serve = async (start) => (await import('./serve.ts')).serve(start);

module.exports = {serve};
