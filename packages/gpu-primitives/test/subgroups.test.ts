import {describe, expect, it} from 'vitest';
import {wordOf} from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import {checkSubgroups, isAsExpected} from '../src/subgroups.ts';
import {subgroupProbeWgsl} from '../src/subgroupProbe.wgsl.ts';
import {openSession} from './session.ts';

const {Seen} = subgroupProbeWgsl.structs;
const WIDTH = 256;

/** Where an invocation sits: subgroup `team`, lane `teamLane`. */
type Seating = (lane: number) => {readonly team: number; readonly teamLane: number};

/** What the probe writes on a device that seats its invocations so, in subgroups of `size`. */
function probed(size: number, seating: Seating): Uint32Array {
  const words = new Uint32Array((WIDTH * Seen.size) / 4);
  const laneAt = new Map<string, number>();
  for (let lane = 0; lane < WIDTH; lane++) {
    const {team, teamLane} = seating(lane);
    laneAt.set(`${team} ${teamLane}`, lane);
  }
  for (let lane = 0; lane < WIDTH; lane++) {
    const {team, teamLane} = seating(lane);
    const set = (name: keyof typeof Seen.fields, word: number, k = 0): void => {
      words[(lane * Seen.size) / 4 + wordOf(Seen, name) + k] = word;
    };
    set('team', team);
    set('teamLane', teamLane);
    set('teamSize', size);
    set('teams', WIDTH / size);
    set('lastOfTeam', laneAt.get(`${team} ${size - 1}`) ?? 0);
    const votes = new Uint32Array(4);
    for (let k = 0; k < size; k++) {
      if ((laneAt.get(`${team} ${k}`) ?? 1) % 2 === 0) votes[k >>> 5] |= 1 << (k % 32);
    }
    votes.forEach((vote, k) => set('votes', vote, k));
  }
  return words;
}

const inOrder =
  (size: number): Seating =>
  (lane) => ({team: Math.floor(lane / size), teamLane: lane % size});

describe('the probe of subgroups', () => {
  it.for([4, 8, 16, 32, 64, 128])('takes full subgroups of %d lanes, in any order', (size) => {
    const sizes = {min: size, max: size};
    expect(isAsExpected(probed(size, inOrder(size)), sizes)).toBe(true);
    // Subgroups backwards, lanes of a subgroup spread over the workgroup: both are allowed.
    const teams = WIDTH / size;
    const spread: Seating = (lane) => ({team: teams - 1 - (lane % teams), teamLane: Math.floor(lane / teams)});
    expect(isAsExpected(probed(size, spread), sizes)).toBe(true);
    expect(isAsExpected(probed(size, inOrder(size)), {min: 4, max: 128})).toBe(true);
  });

  it('rejects a size that the adapter does not name, and one that does not divide a workgroup', () => {
    expect(isAsExpected(probed(8, inOrder(8)), {min: 16, max: 32})).toBe(false);
    expect(isAsExpected(probed(64, inOrder(64)), {min: 16, max: 32})).toBe(false);
    expect(isAsExpected(probed(24, inOrder(24)), {min: 4, max: 32})).toBe(false);
    expect(isAsExpected(new Uint32Array((WIDTH * Seen.size) / 4), {min: 4, max: 32})).toBe(false);
  });

  it('rejects half-full subgroups: twice as many, each with empty lanes', () => {
    const half: Seating = (lane) => ({team: Math.floor(lane / 16), teamLane: lane % 16});
    expect(isAsExpected(probed(32, half), {min: 32, max: 32})).toBe(false);
    // Only the last two are short of lanes.
    const last: Seating = (lane) => (lane < 240 ? inOrder(32)(lane) : {team: 8, teamLane: lane % 16});
    expect(isAsExpected(probed(32, last), {min: 32, max: 32})).toBe(false);
  });

  it('rejects lanes that share a number', () => {
    const doubled: Seating = (lane) => ({team: Math.floor(lane / 32), teamLane: lane % 32 === 31 ? 0 : lane % 32});
    expect(isAsExpected(probed(32, doubled), {min: 32, max: 32})).toBe(false);
    const sameTeam: Seating = (lane) => ({team: 0, teamLane: lane % 32});
    expect(isAsExpected(probed(32, sameTeam), {min: 32, max: 32})).toBe(false);
  });

  const sizes = {min: 32, max: 32};
  const faults = [
    {what: 'a ballot that lacks a lane', name: 'votes', lane: 100, change: (word: number) => word & ~1},
    {what: 'a ballot that counts a lane beyond the subgroup', name: 'votes', lane: 5, k: 1, change: () => 1},
    {what: 'a shuffle from another lane', name: 'lastOfTeam', lane: 200, change: (word: number) => word - 1},
    {what: 'subgroups of two sizes', name: 'teamSize', lane: 255, change: () => 16},
    {what: 'a wrong number of subgroups', name: 'teams', lane: 64, change: () => 7},
    {what: 'a lane in a subgroup that is not its own', name: 'team', lane: 17, change: (word: number) => word + 1},
  ] as const;
  it.for(faults)('rejects $what', ({name, lane, change, ...rest}) => {
    const words = probed(32, inOrder(32));
    const at = (lane * Seen.size) / 4 + wordOf(Seen, name) + ('k' in rest ? rest.k : 0);
    words[at] = change(words[at]);
    expect(isAsExpected(words, sizes)).toBe(false);
  });
});

describeGpu('the check of subgroups', () => {
  it('looks once a device, and answers with the adapter’s sizes or null', async () => {
    using session = await openSession();
    const {gpu} = session;
    const [first, second] = await Promise.all([checkSubgroups(gpu), checkSubgroups(gpu)]);
    expect(second).toBe(first);
    const {subgroupMinSize: min, subgroupMaxSize: max} = gpu.info;
    if (gpu.device.features.has('subgroups')) expect(first).toEqual({min, max});
    else expect(first).toBeNull();
  });
});
