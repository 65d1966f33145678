import {defineConfig, type Plugin} from 'vite';

/** Headers with which threads may share memory. Static hosts set them by their own configuration (README). */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Whether the packages are taken from their sources. Worker threads need built packages. */
const IS_FROM_SOURCE = process.env['EPSBALL_FROM'] === 'source';

export default defineConfig({
  // Relative paths, so that the files work in any folder of a host.
  base: './',
  // Else the page takes the packages as users do: what they have built.
  ...(IS_FROM_SOURCE ? {resolve: {conditions: ['@epsball/source', 'browser', 'module', 'import', 'default']}} : {}),
  build: {target: 'es2023', chunkSizeWarningLimit: 900, rolldownOptions: {shimMissingExports: true}},
  worker: {format: 'es', plugins: () => [withoutNode()], rolldownOptions: {shimMissingExports: true}},
  plugins: [withoutNode()],
  server: {headers: ISOLATION},
  preview: {headers: ISOLATION},
});

/** Node's modules are empty until the packages have entries for browsers. */
function withoutNode(): Plugin {
  const NODE = /^(?:node:|webgpu$|piscina$|csv-parse$|h5wasm)/;
  return {
    name: 'without-node',
    enforce: 'pre',
    resolveId: (id) => (NODE.test(id) ? '\0without-node' : null),
    load: (id) => (id === '\0without-node' ? 'export default {}' : null),
  };
}
