import {existsSync} from 'node:fs';

/** Where Debian and others put the browser. EPSBALL_CHROMIUM names another one. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** WebGPU on the software adapter that Chromium brings along, on any machine. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--no-sandbox',
  '--enable-unsafe-webgpu',
  '--use-webgpu-adapter=swiftshader',
];

/** Path of an installed Chromium; undefined without one. */
export function findChromium(): string | undefined {
  return [process.env['EPSBALL_CHROMIUM'] ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
}
