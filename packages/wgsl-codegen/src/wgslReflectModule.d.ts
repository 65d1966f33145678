// `main` of wgsl_reflect 1.6.0 is CommonJS in a `"type": "module"` package, which Node cannot load. Its ES module build
// works, but has no types. It exports the same names.
declare module 'wgsl_reflect/wgsl_reflect.module.js' {
  export * from 'wgsl_reflect';
}
