// Measures how long the page takes from an input to the next frame, and its tasks of more than 50 ms, in Chromium
// without a GPU. No test: times depend on what else the machine does.
//
// pnpm --filter @epsball/playground measure [POINTS]
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {openPlayground} from './openPlayground.ts';

declare global {
  /** Milliseconds since the last look. */
  var seen: {events: number[]; tasks: number[]};
}

const folder = await mkdtemp(join(tmpdir(), 'epsball-interaction-'));
const playground = await openPlayground({hasWebGpu: false, outDir: folder});
const points = Number(process.argv[2] ?? 100_000);
const page = await playground.open(`#/explore?data=milanesi:n=${points}&eps=0.06&minPts=20&backend=sequential`);
await page.waitForSelector('.status[data-state=done]');
process.stdout.write(`first clusters after ${Math.round(await page.evaluate(() => performance.now()))} ms\n`);
await page.evaluate(() => {
  globalThis.seen = {events: [], tasks: []};
  const watch = (kind: 'events' | 'tasks', options: object): void => {
    const observer = new PerformanceObserver((list) => {
      for (const {duration} of list.getEntries()) globalThis.seen[kind].push(duration);
    });
    observer.observe(options);
  };
  watch('events', {type: 'event', durationThreshold: 16});
  watch('tasks', {type: 'longtask'});
});
const box = await page.locator('.view canvas').boundingBox();
const [x, y] = [(box?.x ?? 0) + 300, (box?.y ?? 0) + 200];
await measure('hover', (step) => page.mouse.move(x + 5 * step, y + 3 * step));
await page.mouse.down();
await measure('drag', (step) => page.mouse.move(x + 5 * step, y + 3 * step));
await page.mouse.up();
await measure('wheel', () => page.mouse.wheel(0, -60));
await page.locator('.view canvas').focus();
await measure('keys', (step) => page.keyboard.press(step % 2 === 0 ? 'ArrowLeft' : 'ArrowUp'));
await measure('select', (step) =>
  page
    .locator('.clusters button')
    .nth(step % 3)
    .click(),
);
await measure('slider', () => page.getByRole('slider', {name: 'eps', exact: true}).press('ArrowRight'));
await playground.close();
await rm(folder, {recursive: true});

async function measure(what: string, act: (step: number) => Promise<void>): Promise<void> {
  for (let step = 0; step < 12; step++) {
    await act(step);
    await page.waitForTimeout(30);
  }
  await page.waitForTimeout(1000);
  const {events, tasks} = await page.evaluate(() => {
    const {seen} = globalThis;
    globalThis.seen = {events: [], tasks: []};
    return seen;
  });
  const slowest = Math.max(0, ...events);
  process.stdout.write(
    `${what}: slowest input ${slowest} ms, tasks over 50 ms: ${tasks.map(Math.round).join(' ') || 'none'}\n`,
  );
}
