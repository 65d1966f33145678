import {datasets} from '@epsball/datasets';
import {DEFAULT_LINK} from './link.ts';

/** Sets with other numbers of points than the generator suggests. The parameters of its suggestion would not fit. */
const FITTED: Readonly<Record<string, {readonly n: number; readonly eps: number; readonly minPts: number}>> = {
  milanesi: {n: 100_000, eps: DEFAULT_LINK.eps, minPts: DEFAULT_LINK.minPts},
};

/** The data sets that the page offers, with parameters that suit their points. */
export const offeredSets = datasets.map(({id, title, defaultN, suggested}) => {
  return {id, title, ...(FITTED[id] ?? {n: defaultN, eps: suggested.eps, minPts: suggested.minPts})};
});

/** Id and number of points of a spec, such as `milanesi:n=100000`. */
export function partsOf(spec: string): {readonly id: string; readonly n: number} {
  const [id = '', options = ''] = spec.split(':');
  const given = Number(/(?:^|,)n=([^,]+)/.exec(options)?.[1]);
  return {id, n: Number.isFinite(given) ? given : (datasets.find((row) => row.id === id)?.defaultN ?? 0)};
}

/** Prefix of the `data` of a link that names a file of the reader. */
export const FILE_PREFIX = 'file:';
