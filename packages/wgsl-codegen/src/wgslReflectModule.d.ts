// `main` of wgsl_reflect 1.6.0 is CommonJS inside a `"type": "module"` package, which Node refuses to load.
// Its ES module build works, but has no types beside it; these are the same names.
declare module 'wgsl_reflect/wgsl_reflect.module.js' {
  export * from 'wgsl_reflect';
}
