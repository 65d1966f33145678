import {afterAll, beforeAll, expect, it} from 'vitest';
import {describeGpu} from '@epsball/gpu/testing';
import {compilePasses, compileTeamPasses, type RadixPasses} from '../src/radixPasses.ts';
import {sortsRight} from '../src/radixProof.ts';
import {subgroupSizesOf} from '../src/radixShape.ts';
import {openSession, type Session} from './session.ts';

const PAIRS = {KEY_ELEMENT: 0, KEY_WORDS: 1, firstValues: 1, values: 1};

/** Of GPUs: with two quads of keys an invocation, which software adapters do not take by themselves. */
const SHAPES = [
  {width: 256, hasSubgroups: false},
  {width: 512, hasSubgroups: true},
] as const;

describeGpu('the kernels of a sort', () => {
  let session: Session;
  beforeAll(async () => {
    session = await openSession();
  });
  afterAll(() => session[Symbol.dispose]());

  it('sort a pass right, keys of one word and of two', async () => {
    for (const KEY_WORDS of [1, 2]) {
      expect(await sortsRight(session.gpu, await compilePasses(session.gpu, {...PAIRS, KEY_WORDS}), KEY_WORDS)).toBe(
        true,
      );
    }
  });

  it.for(SHAPES)('sort tiles of $width invocations, subgroups: $hasSubgroups', {timeout: 300_000}, async (shape) => {
    const {gpu} = session;
    const {width, hasSubgroups} = shape;
    const sizes = hasSubgroups ? subgroupSizesOf(gpu) : null;
    const isOffered = width <= gpu.device.limits.maxComputeInvocationsPerWorkgroup && hasSubgroups === (sizes !== null);
    if (!isOffered || gpu.info.kind === 'bundled') {
      process.stderr.write(`tiles of ${width} invocations are left to other adapters than ${gpu.info.kind}\n`);
      return;
    }
    const digitBits = Math.min(8, 4 + Math.floor(Math.log2(sizes?.min ?? 32)));
    const passes = await compileTeamPasses(gpu, PAIRS, sizes, {width, quads: 2, digitBits});
    expect(await sortsRight(gpu, passes, 1)).toBe(true);
  });

  it('are found out where they leave keys where they are, or out', async () => {
    const passes = await compilePasses(session.gpu, PAIRS, 'none');
    const idle: RadixPasses = {...passes, record: () => undefined};
    expect(await sortsRight(session.gpu, idle, 1)).toBe(false);
    const short: RadixPasses = {...passes, tilesOf: (count) => ({tiles: 2, tileLength: Math.floor(count / 2)})};
    expect(await sortsRight(session.gpu, short, 1)).toBe(false);
  });
});
