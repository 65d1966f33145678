import {readdirSync, readFileSync} from 'node:fs';
import {inspect} from 'node:util';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import * as gpuModule from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import * as primitives from '@epsball/gpu-primitives';

const FOLDER = join(import.meta.dirname, '../docs/reference');
const MODULES: Record<string, object> = {'@epsball/gpu': gpuModule, '@epsball/gpu-primitives': primitives};
type Snippet = (modules: typeof MODULES, console: {log(...values: unknown[]): void}) => Promise<void>;
// The top level of a snippet, with `await`, becomes the body of an async function.
const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (...parts: string[]) => Snippet;

describeGpu('the reference pages', () => {
  it.for(readdirSync(FOLDER))('%s prints the output in its comments', async (file) => {
    const code = /```ts\n(.*?)```/s.exec(readFileSync(join(FOLDER, file), 'utf8'))?.[1] ?? '';
    const expected = Array.from(code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm), ([, printed]) => printed);
    expect(expected.length).toBeGreaterThan(0);
    const body = code.replaceAll(/^import (\{.*\}) from ('.*');$/gm, 'const $1 = modules[$2];');
    const printed: string[] = [];
    await new AsyncFunction('modules', 'console', body)(MODULES, {
      log: (...values) => printed.push(values.map((value) => inspect(value, {breakLength: Infinity})).join(' ')),
    });
    expect(printed).toEqual(expected);
  });

  it('name every operation of the package', () => {
    const pages = readdirSync(FOLDER).map((file) => readFileSync(join(FOLDER, file), 'utf8'));
    const operations = Object.entries(primitives).filter(([, what]) => 'create' in what);
    for (const [name] of operations)
      expect(
        pages.some((page) => page.startsWith('#') && page.split('\n', 1)[0].includes(`\`${name}\``)),
        name,
      ).toBe(true);
  });
});
