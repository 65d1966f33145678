import {toPoints} from '@epsball/conformance';
import type {HdbscanCase, HdbscanCaseParams} from './definition.ts';

/** What the words and numbers of a line set. */
const PARAMS: Readonly<Record<string, (value: number) => Partial<HdbscanCaseParams>>> = {
  size: (minClusterSize) => ({minClusterSize}),
  samples: (minSamples) => ({minSamples}),
  others: () => ({countSelf: false}),
  leaf: () => ({selection: 'leaf'}),
  epsilon: (clusterSelectionEpsilon) => ({clusterSelectionEpsilon}),
  max: (maxClusterSize) => ({maxClusterSize}),
  single: () => ({allowSingleCluster: true}),
  once: () => ({duplicates: 'once'}),
};

/** Name | parameters | cuts | points on a line @ weights, if any | labels derived by hand, or `?`. `3×0` is `0 0 0`. */
const LINES = `
no points | size=2 | 1 | |
one point | size=2 samples=1 | 1 | 7 | -1
one point, a single cluster allowed | size=2 samples=1 single | 1 | 7 | -1
fewer points than minSamples, a single cluster allowed | size=2 samples=4 single | 1 1e200 | 0 1 2 | -1 -1 -1
fewer other points than minSamples | size=2 samples=3 others single | 1 | 0 1 2 | -1 -1 -1
two points | size=2 | 4 5 6 | 3 8 | -1 -1
two points, a single cluster allowed | size=2 single | 5 | 3 8 | 0 0
two equal points, a single cluster allowed | size=2 single | 1 | 3 3 | 0 0
fewer points than minClusterSize, a single cluster allowed | size=5 samples=2 single | 1 | 0 1 2 | -1 -1 -1
a selection epsilon above the split of the root, a single cluster allowed | size=2 samples=1 epsilon=20 single | 1 8 | 0 9 1 10 | 0 0 0 0
a selection epsilon at the split of the root, a single cluster allowed | size=2 samples=1 leaf epsilon=8 single | 8 | 0 9 1 10 | 0 1 0 1
a selection epsilon above the split of a root that is not allowed | size=2 samples=1 epsilon=20 | 8 | 0 9 1 10 | 0 1 0 1
two pairs of points | size=2 samples=1 | 0.5 1 8 | 0 9 1 10 | 0 1 0 1
equal points only | size=2 single | 1 | 3 3 3 3 | 0 0 0 0
equal points, no single cluster | size=2 | 1 | 3 3 3 3 | ?
two places of equal points: stabilities are infinite | size=2 | 1 4 | 0 4 0 4 0 | 0 1 0 1 0
equal edges part at once: all noise in both orders | size=2 samples=3 | 1 2 3 5 | 0 1 3 8 14 18 | 6×-1
equal edges part at once, last first | size=2 samples=3 | 1 2 3 5 | 18 14 8 3 1 0 | 6×-1
equal edges of seven points | size=3 samples=3 | 3 7 | 0 1 3 10 18 23 29 | 7×-1
equal edges of seven points, last first | size=3 samples=3 | 3 7 | 29 23 18 10 3 1 0 | 7×-1
a point within eps that is not core | size=2 samples=3 | 1 2 | -1 0 1 | ?
squared distances above the range of float64 | size=2 samples=2 | 1e150 1e250 | -1e300 1e300 -1.1e300 1.1e300 0 | ?
squared distances below the range of float64 | size=2 samples=2 | 1e-170 1e-160 | 0 1e-170 3e-170 1e-158 1.5e-158 | ?
a root above the maximum size, children below | size=2 samples=1 max=4 single | 1 1.5 | 0 1 2.01 3.01 4.6 | 0 0 1 1 -1
children of equal stability do not win | size=2 samples=1 | 1 2 4 | 0 1 3 4 6 8 10 12 16 17 | 8×0 1 1
three pairs at equal gaps and one far: the root falls apart into four | size=2 samples=1 | 1 4 | 0 1 5 6 10 11 15 16 | 0 0 1 1 2 2 3 3
four places of three points, each a cluster of infinite stability | size=3 samples=2 | 0.5 1 9 | 0 1 10 11 0 1 10 11 0 1 10 11 | 0 1 2 3 0 1 2 3 0 1 2 3
four places of three points, each counted once | size=3 samples=2 once | 0.5 1 9 | 0 1 10 11 0 1 10 11 0 1 10 11 | 0 0 1 1 0 0 1 1 0 0 1 1
two places that weigh minClusterSize are no clusters | size=3 samples=2 once | 0.5 1 | 0 1 0 1 0 1 | 6×-1
two places that weigh minClusterSize, a single cluster allowed | size=3 samples=2 single once | 0.5 1 | 0 1 0 1 0 1 | 6×0
a place that weighs minClusterSize leaves its cluster alone | size=3 samples=2 single once | 1 7 8 | 0 1 2 5×10 | 8×0
a place that weighs minClusterSize beyond the selection epsilon | size=3 samples=2 epsilon=7 single once | 1 7 8 | 0 1 2 5×10 | 0 0 0 5×-1
sizes count the points of places that count once | size=5 samples=2 once | 1 | 0 1 1 1 1 10 11 11 11 11 | 5×0 5×1
fewer places than minSamples | size=2 samples=3 single once | 1 2 | 0 1 0 1 0 1 0 1 | 8×-1
as many places as minSamples without the place itself | size=2 samples=2 others single once | 1 2 | 0 1 0 1 0 1 0 1 | 8×-1
one place that counts once, a single cluster allowed | size=2 samples=1 single once | 1 | 3 3 3 3 | 0 0 0 0
one place that counts once, of fewer points than minClusterSize | size=5 samples=1 single once | 1 | 3 3 3 3 | -1 -1 -1 -1
no points that count once | size=2 once | 1 | |
the zeros of both signs are one place | size=2 samples=2 single once | 1 5 | -0 5 0 5 -0 9 | 6×0
thirty points and an outlier, a single cluster allowed | size=5 single | 1 20 | 30×0 20 | 31×0
thirty points and an outlier beyond the selection epsilon | size=5 epsilon=1 single | 1 20 | 30×0 20 | 30×0 -1
thirty points and an outlier, a selection epsilon whose square underflows | size=5 epsilon=1e-200 single | 1 20 | 30×0 20 | 30×0 -1
a point that leaves the root at the selection epsilon | size=2 samples=1 epsilon=2 single | 1 2 | 0 1 3 | 0 0 0
a point that leaves the root just beyond the selection epsilon | size=2 samples=1 epsilon=1.9999999999999996 single | 1 2 | 0 1 3 | 0 0 -1
all points leave the root beyond the selection epsilon | size=2 samples=1 epsilon=0.5 single | 0.5 1 | 0 1 3 | -1 -1 -1
points that leave a child of the selected root are bounded by their last cluster | size=2 samples=1 epsilon=9 single | 1 8 | 0 1 9 10 22 | 0 0 0 0 -1
every squared weight is infinite, a single cluster allowed | size=2 single | 1 1e200 | -1e300 0 1e300 | 0 0 0
every squared weight is infinite | size=2 | 1 1e200 | -1e300 0 1e300 | -1 -1 -1
every squared weight is infinite, and so is the square of the selection epsilon | size=2 epsilon=1e+200 single | 1e200 | -1e300 0 1e300 | 0 0 0
two points that weigh minClusterSize are no clusters | size=3 samples=2 | 0.5 1 | 0 1 @ 3 3 | -1 -1
two points that weigh minClusterSize, a single cluster allowed | size=3 samples=2 single | 0.5 1 | 0 1 @ 3 3 | 0 0
two copies that weigh minClusterSize each are one cluster of infinite stability | size=5 samples=2 | 1 9 | 0 0 9 9 @ 4×5 | 0 0 1 1
two copies that weigh minClusterSize each, alone | size=5 samples=2 single | 1 | 3 3 @ 5 5 | 0 0
a heavy point leaves its cluster alone | size=3 samples=2 | 1 8 | 0 1 2 10 @ 1 1 1 50 | 4×-1
weights of a cluster below minClusterSize | size=3 samples=2 | 1 | 0 1 2 10 11 12 @ 5×1 0.5 | 6×-1
weights of a cluster of minClusterSize | size=3 samples=2 | 1 | 0 1 2 10 11 12 @ 3 0 0 0.5 0.25 2.25 | 0 0 0 1 1 1
ten weights of 0.2 are 2, though their rounded sums are not | size=2 samples=2 | 1 | 0 1 2 3 4 5 6 7 8 9 100 101 102 103 104 105 106 107 108 109 @ 20×0.2 | 10×0 10×1
a point of weight 0 leaves the decision to the others | size=2 samples=1 | 2 3 | 0 1 3 4 7 100 101 @ 1 1 1 1 0 1 1 | 0 0 1 1 -1 2 2
a point of weight 1 decides for the cluster around it | size=2 samples=1 | 2 3 | 0 1 3 4 7 100 101 @ 7×1 | 5×0 1 1
a maximum size in weights | size=2 samples=1 max=5 | 1 | 0 1 2.9 3.9 100 101 @ 6×2 | 0 0 1 1 2 2
a maximum size in weights that is not reached | size=2 samples=1 max=5 | 1 | 0 1 2.9 3.9 100 101 @ 6×1.25 | 4×0 1 1
weights of 0 only, a single cluster allowed | size=2 samples=1 single | 1 | 0 1 2 3 @ 4×0 | 4×-1
copies of weight 0 only, a single cluster allowed | size=2 samples=1 single | 1 | 3 3 @ 0 0 | -1 -1
weights of a place that counts once are summed | size=3 samples=2 once | 1 | 3×0 1 2 3×10 11 12 @ 3×1 0 0 3×1 0 0 | 5×0 5×1
a place that weighs minClusterSize and counts once | size=3 samples=2 once | 0.5 1 | 0 0 1 @ 1.5 1.5 3 | 3×-1
weights far apart | size=2 samples=1 | 1 | 0 1 10 11 20 21 @ 1e300 1e-300 1 1 1 0.9999999999999998 | 0 0 1 1 -1 -1
a sum of weights between two numbers rounds to even | size=2 samples=1 | 1 | 0 1 10 11 @ 1 1 1 0.9999999999999999 | 0 0 1 1
one weighted point | size=2 samples=1 single | 1 | 7 @ 3 | 0
no points and no weights | size=2 | 1 | @ |
every squared weight is infinite, but not the square of the selection epsilon | size=2 epsilon=1 single | 1e200 | -1e300 0 1e300 | -1 -1 -1
`;

function numbersIn(text: string): number[] {
  return text.split(' ').flatMap((word) => {
    if (word === '') return [];
    const [value, times = '1'] = word.split('×').toReversed();
    return Array.from<number>({length: Number(times)}).fill(Number(value));
  });
}

function paramsIn(text: string): HdbscanCaseParams {
  const parts = text.split(' ').map((word) => {
    const [key, value] = word.split('=');
    return PARAMS[key](Number(value));
  });
  return Object.assign({minClusterSize: 0}, ...parts);
}

/** Cases with a story: the ends of parameters, ties, places with several points, and the root as the only cluster. */
export const toldCases: readonly HdbscanCase[] = [
  ...LINES.trim()
    .split('\n')
    .map((text): HdbscanCase => {
      const [name, params, cuts, points, labels] = text.split('|').map((field) => field.trim());
      const [xs, weights] = points.split('@').map((field) => field.trim());
      return {
        name,
        params: {...paramsIn(params), ...(weights !== undefined && {sampleWeight: numbersIn(weights)})},
        cuts: numbersIn(cuts),
        points: () => toPoints('float64', 1, numbersIn(xs)),
        ...(labels !== '?' && {labels: numbersIn(labels)}),
      };
    }),
  {
    name: 'a distance whose root rounds down to eps',
    params: {minClusterSize: 2, minSamples: 2},
    cuts: [0.5],
    points: () => toPoints('float64', 2, [0, 0, 0.300_000_000_000_000_04, 0.4]),
  },
  {
    name: 'sums of stabilities above the range of float32',
    params: {minClusterSize: 2, minSamples: 1},
    cuts: [2 ** -140],
    points: () =>
      toPoints(
        'float64',
        1,
        [0, 1, 2.01, 3.01, 100, 101].map((x) => x * 2 ** -140),
      ),
    labels: [0, 0, 0, 0, 1, 1],
  },
];
