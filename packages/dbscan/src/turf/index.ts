import {checkKnownOptions, InvalidParameterError, InvalidPointsError, NOISE} from '@epsball/clustering';
import {dbscan, type DbscanOptions} from '../dbscan.ts';

/** The radius of the Earth in Turf, in metres. */
const RADIUS_M = 6_371_008.8;

export type TurfUnits =
  | 'centimeters'
  | 'centimetres'
  | 'degrees'
  | 'feet'
  | 'inches'
  | 'kilometers'
  | 'kilometres'
  | 'meters'
  | 'metres'
  | 'miles'
  | 'millimeters'
  | 'millimetres'
  | 'nauticalmiles'
  | 'radians'
  | 'yards';

/** How many of each unit of Turf are one radian. */
const UNITS: Readonly<Record<TurfUnits, number>> = {
  centimeters: RADIUS_M * 100,
  centimetres: RADIUS_M * 100,
  degrees: 180 / Math.PI,
  feet: RADIUS_M * 3.280_84,
  inches: RADIUS_M * 39.37,
  kilometers: RADIUS_M / 1000,
  kilometres: RADIUS_M / 1000,
  meters: RADIUS_M,
  metres: RADIUS_M,
  miles: RADIUS_M / 1609.344,
  millimeters: RADIUS_M * 1000,
  millimetres: RADIUS_M * 1000,
  nauticalmiles: RADIUS_M / 1852,
  radians: 1,
  yards: RADIUS_M * 1.0936,
};

type Properties = Readonly<Record<string, unknown>> | null;

export interface PointFeature {
  readonly type: 'Feature';
  readonly geometry: {readonly type: 'Point'; readonly coordinates: readonly number[]};
  readonly properties: Properties;
}

export interface PointCollection<Feature extends PointFeature = PointFeature> {
  readonly type: 'FeatureCollection';
  readonly features: readonly Feature[];
}

/** What `clustersDbscan` adds to the properties of a feature. */
export interface ClusterProperties {
  /** The number of the cluster, from 0; absent for noise. */
  readonly cluster?: number;
  readonly dbscan: 'core' | 'edge' | 'noise';
}

/** The features with the properties of their clusters. */
export interface ClusteredCollection<Feature extends PointFeature> {
  readonly type: 'FeatureCollection';
  readonly features: readonly (Omit<Feature, 'properties'> & {
    readonly properties: Feature['properties'] & ClusterProperties;
  })[];
}

export interface ClustersDbscanOptions extends Pick<DbscanOptions, 'backend' | 'threads' | 'signal'> {
  /** Of `maxDistance`. Default: `kilometers`. */
  readonly units?: TurfUnits | undefined;
  /** Fewest points within `maxDistance` of a core point, itself counted; integer ≥ 1. Default: 3. */
  readonly minPoints?: number | undefined;
  /** Whether the features of the input get the properties. Default: false, which returns new features. */
  readonly mutate?: boolean | undefined;
}

const OPTIONS = ['units', 'minPoints', 'mutate', 'backend', 'threads', 'signal'];

/**
 * `clustersDbscan` of Turf, by the variants of this package: the same options and properties, and a promise.
 *
 * An edge between several clusters is in the lowest of them. Turf puts it where its search comes first.
 *
 * @param points       a FeatureCollection of points: longitude and latitude in degrees
 * @param maxDistance  along the great circle; finite, > 0
 * @returns            the collection with `cluster` and `dbscan` among the properties of each feature
 * @throws InvalidParameterError, InvalidPointsError, and as `dbscan`
 */
export async function clustersDbscan<Feature extends PointFeature>(
  points: PointCollection<Feature>,
  maxDistance: number,
  options: ClustersDbscanOptions = {},
): Promise<ClusteredCollection<Feature>> {
  checkKnownOptions(options, OPTIONS, 'options', "an object such as {units: 'meters', minPoints: 3}");
  const {units = 'kilometers', minPoints = 3, mutate = false, ...run} = options;
  if (!Object.hasOwn(UNITS, units)) throw new InvalidParameterError('units', units, Object.keys(UNITS).join(', '));
  if (!(maxDistance > 0 && maxDistance < Infinity)) {
    throw new InvalidParameterError('maxDistance', maxDistance, 'a finite number > 0');
  }
  const {labels, coreMask} = await dbscan(coordinatesOf(points), {
    eps: maxDistance / UNITS[units],
    minPts: minPoints,
    metric: 'haversine',
    angles: 'degrees',
    epsUnit: 'rad',
    ...run,
  });
  const features = points.features.map((feature, i) => {
    const kind = coreMask[i] === 1 ? 'core' : labels[i] === NOISE ? 'noise' : 'edge';
    const found: ClusterProperties = {...(kind === 'noise' ? {} : {cluster: labels[i]}), dbscan: kind};
    const {cluster: _, ...others} = {cluster: undefined, ...feature.properties};
    const properties = {...others, ...found};
    return mutate ? Object.assign(feature, {properties}) : {...feature, properties};
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the features as given, with more properties
  return (mutate ? points : {...points, features}) as unknown as ClusteredCollection<Feature>;
}

/** Latitude and longitude of each feature, in the order that haversine takes. */
function coordinatesOf({features}: PointCollection): {coords: Float64Array; dim: number} {
  if (!Array.isArray(features)) throw new InvalidPointsError('points = no features; expected a FeatureCollection', -1);
  const coords = new Float64Array(2 * features.length);
  for (const [i, feature] of features.entries()) {
    const {geometry}: Partial<PointFeature> = feature;
    if (geometry?.type !== 'Point') {
      throw new InvalidPointsError(`feature ${i} = ${String(geometry?.type)}; expected a Point`, i);
    }
    [coords[2 * i + 1], coords[2 * i]] = geometry.coordinates;
  }
  return {coords, dim: 2};
}
