import {METRES_PER_DEGREE, type PointSet} from '@epsball/clustering';
import {traffic, type Traffic} from '@epsball/datasets';
import {createDynamicDbscan, type ClusterChange, type DynamicDbscan} from '@epsball/dbscan-dynamic';

/** Simulated seconds before the first picture, in which cars leave the places that they begin at, and of a step. */
const START_S = 600;
export const STEP_S = 3;
export const MIN_PTS = 4;
const SEED = 1;

/** The south of the town. */
const LATITUDE = 48;
const METRES_PER_LONGITUDE = METRES_PER_DEGREE * Math.cos((LATITUDE * Math.PI) / 180);

/** Cars at one time. */
export interface CarFrame {
  readonly seconds: number;
  /** East and north in metres, two numbers a car. */
  readonly coords: Float32Array;
  /** Ids of clusters, −1 for cars alone. */
  readonly labels: Int32Array;
  readonly clusters: number;
  /** What became of clusters in the last step. */
  readonly changes: readonly ClusterChange[];
}

/** The cars of a town, which move at each step; their clusters keep their ids. */
export class CarStream {
  readonly #town: Traffic;
  #places: Float64Array;
  #dynamic: DynamicDbscan;
  #ids: Float64Array;
  #seconds = START_S;

  /** @param eps  metres */
  constructor(cars: number, eps: number) {
    this.#town = traffic(cars, SEED);
    this.#places = this.#town.step(START_S);
    [this.#dynamic, this.#ids] = clusterAnew(this.#places, eps);
  }

  /** Latitudes and longitudes, in degrees. */
  get places(): PointSet {
    return {coords: this.#places, dim: 2};
  }

  /** Clusters the cars with another eps, where they are. */
  setEps(eps: number): void {
    [this.#dynamic, this.#ids] = clusterAnew(this.#places, eps);
  }

  step(): void {
    this.#places = this.#town.step(STEP_S);
    this.#seconds += STEP_S;
    this.#dynamic.move(this.#ids, this.places);
  }

  /** The cars now, and what has changed since the last call. */
  frame(): CarFrame {
    const places = this.#places;
    const coords = Float32Array.from(places, (_, k) =>
      k % 2 === 0 ? places[k + 1] * METRES_PER_LONGITUDE : (places[k - 1] - LATITUDE) * METRES_PER_DEGREE,
    );
    return {
      seconds: this.#seconds,
      coords,
      labels: Int32Array.from(this.#dynamic.labels().labels),
      clusters: this.#dynamic.clusters().ids.length,
      changes: this.#dynamic.changes(),
    };
  }
}

function clusterAnew(coords: Float64Array, eps: number): [DynamicDbscan, Float64Array] {
  const dynamic = createDynamicDbscan({
    eps,
    minPts: MIN_PTS,
    dim: 2,
    metric: 'haversine',
    angles: 'degrees',
    epsUnit: 'm',
  });
  const ids = dynamic.insert({coords, dim: 2});
  dynamic.changes();
  return [dynamic, ids];
}
