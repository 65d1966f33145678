import {CHROMIUM_FLAGS, findChromium} from '@epsball/conformance/browser';
import {join} from 'node:path';
import {chromium, type Browser, type Page} from 'playwright-core';
import {build, preview, type PreviewServer} from 'vite';

const ROOT = join(import.meta.dirname, '..');

/** SwiftShader instead of a GPU, so that WebGPU works on any machine. */
const WITH_WEBGPU = [
  ...CHROMIUM_FLAGS,
  // Without these, showing a canvas ends the browser's GPU process (Chromium 156).
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-angle=vulkan',
];

/** The built page, served, and a browser. */
export interface Playground {
  /** Opens the page; `fragment` begins with `#`. The errors of the page are collected in `errors`. */
  open(fragment: string, options?: {width?: number; height?: number; theme?: 'light' | 'dark'}): Promise<Page>;
  readonly errors: string[];
  close(): Promise<void>;
}

interface OpenOptions {
  /** Default: true. */
  readonly hasWebGpu?: boolean;
  /** The folder of the page. Default: this package. */
  readonly root?: string;
  /** Receives the built page. Default: `dist`. */
  readonly outDir?: string;
  /** Of the packages. Default: `source`. */
  readonly from?: 'source' | 'dist';
}

/** Builds and serves the page, and starts a browser. */
export async function openPlayground(options: OpenOptions = {}): Promise<Playground> {
  const {hasWebGpu = true, root = ROOT, outDir = 'dist', from = 'source'} = options;
  process.env['EPSBALL_FROM'] = from;
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium is installed; EPSBALL_CHROMIUM names one');
  await build({root, logLevel: 'error', build: {outDir}});
  const server: PreviewServer = await preview({root, logLevel: 'error', build: {outDir}, preview: {port: 0}});
  const address = server.resolvedUrls?.local[0] ?? '';
  const browser: Browser = await chromium.launch({
    timeout: 0,
    executablePath,
    args: ['--no-sandbox', ...(hasWebGpu ? WITH_WEBGPU : ['--disable-features=WebGPU'])],
  });
  const errors: string[] = [];
  return {
    errors,
    open: async (fragment, {width = 1400, height = 900, theme = 'light'} = {}) => {
      const context = await browser.newContext({viewport: {width, height}, colorScheme: theme});
      // The suite's guard ends a test that hangs.
      context.setDefaultTimeout(0);
      const page = await context.newPage();
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(address + fragment);
      return page;
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}
