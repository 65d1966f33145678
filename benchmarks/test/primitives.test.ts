import {describe, expect, it} from 'vitest';
import {countsOf, failedPrimitives, planSeries, primitiveKeyOf, whyCountLeftOut} from '../src/primitives/plan.ts';
import {primitives} from '../src/suites/primitives.ts';

const {operations, profiles, published} = primitives;
const [operation] = operations;
const HARDWARE = {implementation: 'gpu', softwareGpu: false, previous: null} as const;

describe('the suite of primitives', () => {
  it('names each operation once, with its element at the end of the name or in it', () => {
    const ids = operations.map(({id}) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const {id, element} of operations) expect(id).toContain(element.split(',', 1)[0]);
  });

  it('has ascending counts in each profile', () => {
    for (const {counts} of Object.values(profiles)) expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });

  it('publishes figures of operations and counts that the full profile measures, each with its machine', () => {
    for (const figure of published) {
      const measured = operations.find(({id}) => id === figure.operation);
      expect(measured && countsOf(measured, profiles.full)).toContain(figure.count);
      expect(figure.machine).toBe('NVIDIA H200');
    }
  });
});

describe('countsOf', () => {
  it('adds the largest count to the operations that the profile names, and to no other', () => {
    const largest = {count: 64, operations: ['reduce-sum-f32'] as const};
    const profile = {...profiles.quick, counts: [8, 16], largest};
    expect(operations.slice(0, 2).map((one) => countsOf(one, profile))).toEqual([
      [8, 16, 64],
      [8, 16],
    ]);
    expect(countsOf(operation, {...profile, largest: undefined})).toEqual([8, 16]);
  });
});

describe('planSeries', () => {
  it('gives every operation a series of ours and one of JavaScript’s', () => {
    const series = planSeries(primitives);
    expect(series.length).toBe(2 * operations.length);
    expect(series.slice(0, 2)).toEqual([
      {operation, implementation: 'gpu'},
      {operation, implementation: 'javascript'},
    ]);
  });
});

describe('whyCountLeftOut', () => {
  const {quick} = profiles;

  it('lets a first count run, and one that the count before shows to be short', () => {
    expect(whyCountLeftOut(quick, 2 ** 28, HARDWARE)).toBeNull();
    const previous = {count: 2 ** 16, runSeconds: quick.runSeconds / 20};
    expect(whyCountLeftOut(quick, 2 ** 20, {...HARDWARE, previous})).toBeNull();
  });

  it('leaves out a count that is expected to take too long', () => {
    const previous = {count: 2 ** 16, runSeconds: quick.runSeconds / 10};
    const reason = `one run is expected to take more than ${quick.runSeconds} s`;
    expect(whyCountLeftOut(quick, 2 ** 20, {...HARDWARE, implementation: 'javascript', previous})).toBe(reason);
  });

  it('keeps large counts from a software adapter, and from no other adapter', () => {
    const context = {...HARDWARE, softwareGpu: true};
    expect(whyCountLeftOut(quick, 2 ** 20, context)).toBeNull();
    expect(whyCountLeftOut(quick, 2 ** 24, context)).toBe('software GPU adapter: at most 1,048,576 elements');
    expect(whyCountLeftOut(quick, 2 ** 24, {...context, implementation: 'javascript'})).toBeNull();
  });
});

describe('failedPrimitives', () => {
  it('names operation, implementation, count and error of each failed cell', () => {
    const key = primitiveKeyOf(operation, 'gpu', 2 ** 16);
    expect(
      failedPrimitives(primitives, [
        {...key, status: 'failed', error: 'word 0 = 1; expected 2'},
        {...key, status: 'leftOut', reason: 'too large'},
      ]),
    ).toEqual([`primitives: ${operation.id} gpu at 65,536: word 0 = 1; expected 2`]);
  });
});
