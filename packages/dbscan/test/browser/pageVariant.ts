import type {DbscanAlgorithm, PointSet} from '@epsball/clustering';
import type {Backend} from '@epsball/clustering/catalogue';
import type {Page} from 'playwright-core';
import type {PageResult, PageVariants} from './catalogue.page.ts';

declare const variants: PageVariants;

/** A variant that runs in a page. Points go there and results come back, so that tests judge them as any others. */
export async function createPageVariant(page: Page, id: string, backend: Backend): Promise<DbscanAlgorithm> {
  // A hybrid has threads, too.
  const threads = backend === 'sequential' ? undefined : 2;
  const variant = await page.evaluate((wanted) => variants.create(...wanted), [id, backend, threads] as const);
  const destroy = (): void => {
    // The page may be closed already.
    page.evaluate((one) => variants.destroy(one), variant).catch(() => {});
  };
  return {
    run: async (points, params) => {
      const sent = {coords: points.coords.slice(), dim: points.dim};
      const result: PageResult = await page.evaluate(([one, input, given]) => variants.run(one, input, given), [
        variant,
        sent,
        params,
      ] as const);
      takeBack(points, result);
      const {labels, coreMask, clusterCount} = result;
      return {labels, coreMask, clusterCount, stats: {phaseMs: {}, wallMs: 0, counters: {}}};
    },
    destroy,
    [Symbol.dispose]: destroy,
  };
}

/** Writes the coordinates after the run into the input, so that a variant that modifies its input is found. */
function takeBack({coords}: PointSet, after: PageResult): void {
  if (after.coords.length !== coords.length) throw new Error('the page returned other coordinates');
  coords.set(after.coords);
}
