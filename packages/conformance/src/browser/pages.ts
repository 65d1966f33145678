import {createServer} from 'node:http';
import {existsSync, readFileSync} from 'node:fs';
import {extname, join} from 'node:path';
import {chromium, type Browser, type Page} from 'playwright-core';
import {CHROMIUM_FLAGS} from './chromium.ts';

const ISOLATED = {'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp'};
const TYPES: Readonly<Record<string, string>> = {'.js': 'text/javascript', '.html': 'text/html'};
/** Prints arrays as Node prints them. */
const LOG_AS_NODE = `
  const log = console.log;
  const list = (of) => '[ ' + Array.from(of).join(', ') + ' ]';
  const show = (value) => ArrayBuffer.isView(value) ? value.constructor.name + '(' + value.length + ') ' + list(value)
    : Array.isArray(value) ? list(value) : String(value);
  console.log = (...values) => log(values.map(show).join(' '));`;

/** Longer than any page takes on a busy machine. */
const TIMEOUT_MS = 1_800_000;

/** Runs modules of a folder in Chromium, each in a page of its own. */
export class Pages {
  readonly #browser: Browser;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(browser: Browser, server: ReturnType<typeof createServer>) {
    this.#browser = browser;
    this.#server = server;
  }

  /**
   * @param folder  served on localhost
   */
  static async open(executablePath: string, folder: string): Promise<Pages> {
    const server = createServer(({url = '/'}, response) => {
      const {pathname, searchParams} = new URL(url, 'http://localhost');
      const headers = searchParams.has('isolated') || extname(pathname) === '.js' ? ISOLATED : {};
      const module = searchParams.get('module');
      const path = join(folder, pathname);
      if (module !== null) {
        response.writeHead(200, {'Content-Type': 'text/html', ...headers});
        response.end(`<!doctype html><script type="module">
          ${LOG_AS_NODE}
          import('${module}').then(() => console.log('\\0done'), (error) => console.log('\\0failed ' + error.stack));
        </script>`);
      } else if (existsSync(path)) {
        response.writeHead(200, {'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream', ...headers});
        response.end(readFileSync(path));
      } else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const browser = await chromium.launch({
      timeout: 0,
      executablePath,
      args: [...CHROMIUM_FLAGS],
      chromiumSandbox: false,
    });
    return new Pages(browser, server);
  }

  /**
   * Runs a module and returns the lines that it prints.
   *
   * @param module      path from the folder: `/example.js`
   * @param isIsolated  whether the page is cross-origin isolated
   * @throws Error      if the module throws
   */
  async run(module: string, isIsolated: boolean): Promise<string> {
    const lines: string[] = [];
    const page = await this.open(module, isIsolated, (line) => lines.push(line));
    await page.close();
    return lines.join('\n');
  }

  /**
   * Opens a page with a module, and returns the page when the module has run.
   *
   * @param onLine  receives the lines that the module prints
   * @throws Error  if the module throws
   */
  async open(module: string, isIsolated: boolean, onLine: (line: string) => void = () => {}): Promise<Page> {
    const address = this.#server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const page = await this.#browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`${module}: no end after ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
        page.on('console', (message) => {
          const text = message.text();
          if (message.type() === 'warning' || message.type() === 'error') return;
          if (!text.startsWith('\0')) {
            onLine(text);
            return;
          }
          clearTimeout(timer);
          if (text === '\0done') resolve();
          else reject(new Error(`${module}: ${text.slice(1)}`));
        });
        page.on('pageerror', reject);
        page.goto(`http://localhost:${port}/?module=${module}${isIsolated ? '&isolated' : ''}`).catch(reject);
      });
    } catch (error) {
      await page.close();
      throw error;
    }
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.close();
  }
}
