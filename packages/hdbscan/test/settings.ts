import {seededRandom} from '@epsball/conformance';
import type {HdbscanAlgorithm, HdbscanSelectionParams} from '@epsball/hdbscan';
import type {HdbscanCase} from './oracle/definition.ts';

/** Settings of each set. */
const SETTINGS = 50;

function randomSetting(random: () => number): HdbscanSelectionParams {
  return {
    minClusterSize: 2 + Math.floor(random() * random() * 40),
    ...(random() < 0.4 ? {selection: 'leaf'} : {}),
    ...(random() < 0.4 ? {clusterSelectionEpsilon: random() < 0.3 ? 2 : random() * 4} : {}),
    ...(random() < 0.3 ? {maxClusterSize: 3 + Math.floor(random() * 40)} : {}),
    ...(random() < 0.4 ? {allowSingleCluster: true} : {}),
  };
}

/**
 * Compares every field of selections from one hierarchy with fresh runs.
 *
 * @returns  a line for each setting that differs
 */
export async function differencesOfSettings(
  algorithm: HdbscanAlgorithm,
  sets: readonly HdbscanCase[],
  fresh: HdbscanAlgorithm = algorithm,
): Promise<string[]> {
  const found: string[] = [];
  for (const [k, {name, points: make, params}] of sets.entries()) {
    const points = make();
    const {minSamples = params.minClusterSize, countSelf, duplicates, sampleWeight} = params;
    const ofTree = {minSamples, countSelf, duplicates, sampleWeight};
    const random = seededRandom(k);
    const tree = await algorithm.hierarchy(points, ofTree);
    for (let setting = 0; setting < SETTINGS; setting++) {
      const selected = randomSetting(random);
      const {stats: _, hierarchy: __, ...expected} = await fresh.run(points, {...selected, ...ofTree});
      const actual = tree.select(selected);
      if (textOf(actual) !== textOf(expected)) found.push(`${name}: ${JSON.stringify(selected)}`);
    }
  }
  return found;
}

/** Every byte of a value, as a text. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    ArrayBuffer.isView(part) ? Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('base64') : part,
  );
}
