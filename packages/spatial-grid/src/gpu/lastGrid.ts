import type {Radius} from '@epsball/clustering';
import type {DevicePoints} from './devicePoints.ts';

interface Kept<Built> {
  readonly points: DevicePoints;
  readonly eps: number;
  readonly eps2: number | undefined;
  readonly built: Built;
}

/** The last run's grid, for the next on the same points and radius. A build replaces it: call `forget` before. */
export class LastGrid<Built> {
  #last: Kept<Built> | undefined;

  find(points: DevicePoints, {eps, eps2}: Pick<Radius, 'eps' | 'eps2'>): Built | undefined {
    const last = this.#last;
    const isSame = last !== undefined && last.points === points && last.eps === eps && last.eps2 === eps2;
    return isSame ? last.built : undefined;
  }

  /** Call after the build is submitted. */
  keep(points: DevicePoints, {eps, eps2}: Pick<Radius, 'eps' | 'eps2'>, built: Built): void {
    this.#last = {points, eps, eps2, built};
  }

  forget(): void {
    this.#last = undefined;
  }
}
