import type {PointSet} from '@epsball/clustering';
import {toPoints} from '../shapes.ts';

/** Points on a line. */
export function line(...values: number[]): () => PointSet {
  return () => toPoints('float64', 1, values);
}

/** Points on a line, each place several times: all places in turn. */
export function copiesOf(times: number, ...places: number[]): () => PointSet {
  return line(...Array.from({length: times}, () => places).flat());
}
