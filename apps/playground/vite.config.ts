import {defineConfig} from 'vite';

/** Headers with which threads may share memory. Static hosts set them by their own configuration (README). */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Packages as their sources, for servers that follow changes, and for tests. Worker threads need built packages. */
const FROM_SOURCE = {conditions: ['@epsball/source', 'browser', 'module', 'import', 'default']};

export default defineConfig(({command, isPreview}) => ({
  // Relative paths, so that the files work in any folder of a host.
  base: './',
  resolve: (command === 'serve' && isPreview !== true) || process.env['EPSBALL_FROM'] === 'source' ? FROM_SOURCE : {},
  build: {target: 'es2023', chunkSizeWarningLimit: 900},
  worker: {format: 'es'},
  server: {headers: ISOLATION},
  preview: {headers: ISOLATION},
}));
