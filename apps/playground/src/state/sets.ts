import {datasets} from '@epsball/datasets';
import {DEFAULT_LINK} from './link.ts';

/** Sets with other numbers of points than the generator suggests. The eps of its suggestion would not fit. */
const FITTED: Readonly<Record<string, {readonly n: number; readonly eps: number}>> = {
  milanesi: {n: 100_000, eps: DEFAULT_LINK.eps},
};

/** The data sets that the page offers, with parameters that suit their points. */
export const offeredSets = datasets.map(({id, title, defaultN, suggested}) => {
  const {n, eps} = FITTED[id] ?? {n: defaultN, eps: suggested.eps};
  return {id, title, n, eps, minPts: suggested.minPts};
});

/** Id and number of points of a spec, such as `milanesi:n=100000`. */
export function partsOf(spec: string): {readonly id: string; readonly n: number} {
  const [id = '', options = ''] = spec.split(':');
  const given = Number(/(?:^|,)n=([^,]+)/.exec(options)?.[1]);
  return {id, n: Number.isFinite(given) ? given : (datasets.find((row) => row.id === id)?.defaultN ?? 0)};
}

/** Prefix of the `data` of a link that names a file of the reader. */
export const FILE_PREFIX = 'file:';
