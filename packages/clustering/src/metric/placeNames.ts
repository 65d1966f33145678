import {InvalidPointsError} from '../errors.ts';

export type PlaceOrder = 'lat-lon' | 'lon-lat';

type Kind = 'latitude' | 'longitude';

/** Words of a name. The long ones may follow other letters, as in `startlatitude`. */
const WORDS: Readonly<Record<Kind, RegExp>> = {
  latitude: /^(?:lats?|.*(?<!p)latitud(?:es?|ine)?|breitengrade?)$/,
  longitude: /^(?:lo?ngs?|lons?|.*longitud(?:es?|ine)?|l(?:ä|ae)ngengrade?)$/,
};

/** An adjective where another word follows, as in `long_name`. */
const LONG = 'long';

/** Short words at the end or the start of a name without borders, and what is left: `reclat` and `reclong`. */
const GLUED: Readonly<Record<Kind, readonly RegExp[]>> = {
  latitude: [/^(.+)lat$/, /^lat(.+)$/],
  longitude: [/^(.+?)(?:long|lng|lon)$/, /^(?:long|lng|lon)(.+)$/],
};

/** Where a name has a border of words without a space: `startLat`, `GPSLat`. */
const CASE_BORDERS = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/** What a name says: `decimalLatitude` a latitude, `start_lng` a longitude, `flat` and `latLng` neither. */
function kindOf(name: string): Kind | undefined {
  const all = wordsOf(name);
  const words = all.filter((word, k) => word !== LONG || k === all.length - 1);
  const [hasLatitude, hasLongitude] = [WORDS.latitude, WORDS.longitude].map((one) =>
    words.some((word) => one.test(word)),
  );
  if (hasLatitude === hasLongitude) return undefined;
  return hasLatitude ? 'latitude' : 'longitude';
}

/** The words of a name, in lower case: `pickupLat` has two. */
export function wordsOf(name: string): string[] {
  const words = name
    .replaceAll(CASE_BORDERS, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
  return words.filter((word) => word !== '');
}

/** What each name says among others: `long_deg` is a longitude beside `lat_deg`. */
function kindsAmong(columns: readonly string[]): readonly (Kind | undefined)[] {
  const kinds = columns.map(kindOf);
  const restOf = (name: string, of: RegExp): string =>
    wordsOf(name)
      .filter((word) => !of.test(word))
      .join(' ');
  const rests = columns.filter((_, k) => kinds[k] === 'latitude').map((name) => restOf(name, WORDS.latitude));
  return kinds.map((kind, k) => {
    const isPaired = wordsOf(columns[k]).includes(LONG) && rests.includes(restOf(columns[k], WORDS.longitude));
    return kind ?? (isPaired ? 'longitude' : undefined);
  });
}

/**
 * What the names of two columns say. A pair with the same rest says more than its names alone: `reclat` and `reclong`.
 */
function kindsOf(columns: readonly string[]): readonly (Kind | undefined)[] {
  const kinds = kindsAmong(columns);
  if (columns.length !== 2 || kinds.some((kind) => kind !== undefined)) return kinds;
  const [first, second] = columns.map((name) => name.toLowerCase());
  if (areGlued(first, second)) return ['latitude', 'longitude'];
  return areGlued(second, first) ? ['longitude', 'latitude'] : kinds;
}

function areGlued(latitude: string, longitude: string): boolean {
  return GLUED.latitude.some((one, k) => {
    const rest = one.exec(latitude)?.[1];
    return rest !== undefined && rest === GLUED.longitude[k].exec(longitude)?.[1];
  });
}

/** Whether two columns are a latitude and a longitude by name, and which comes first. Undefined if they are not. */
export function orderOfCoordinates(columns: readonly string[] | undefined): PlaceOrder | undefined {
  if (columns?.length !== 2) return undefined;
  const [first, second] = kindsOf(columns);
  if (first === 'latitude' && second === 'longitude') return 'lat-lon';
  return first === 'longitude' && second === 'latitude' ? 'lon-lat' : undefined;
}

/**
 * Which of two columns of places on the globe is the latitude. One name that tells is enough.
 *
 * @param columns    names of two columns; undefined: they have none
 * @param otherwise  where no name tells. Default: latitude first, as in scikit-learn
 * @throws InvalidPointsError  if both are latitudes or both are longitudes by name
 */
export function orderOnSphere(columns: readonly string[] | undefined, otherwise: PlaceOrder = 'lat-lon'): PlaceOrder {
  const [first, second] = kindsOf(columns ?? []);
  if (first === undefined && second === undefined) return otherwise;
  if (first === second) {
    const names = (columns ?? []).join(', ');
    throw new InvalidPointsError(`columns ${names} are two ${first}s by name; expected one latitude and one longitude`);
  }
  return first === 'longitude' || second === 'latitude' ? 'lon-lat' : 'lat-lon';
}

/**
 * The positions of a latitude and a longitude among the names of columns. A name that is the word alone, such as `lat`,
 * goes before longer ones, such as `lat_error`. Where no name tells, one pair such as `reclat` and `reclong` is found.
 *
 * @returns  undefined if there is not exactly one of each
 */
export function findCoordinates(columns: readonly string[]): readonly [lat: number, lon: number] | undefined {
  const [lats, lons] = (['latitude', 'longitude'] as const).map((kind) => {
    const found = positionsOf(columns, kind);
    const alone = found.filter((k) => wordsOf(columns[k]).length === 1 && WORDS[kind].test(wordsOf(columns[k])[0]));
    return alone.length > 0 ? alone : found;
  });
  if (lats.length === 0 && lons.length === 0) return gluedPair(columns);
  return lats.length === 1 && lons.length === 1 ? [lats[0], lons[0]] : undefined;
}

/** The only pair of names such as `reclat` and `reclong`. */
function gluedPair(columns: readonly string[]): readonly [lat: number, lon: number] | undefined {
  const names = columns.map((name) => name.toLowerCase());
  const [lats, lons] = (['latitude', 'longitude'] as const).map((kind) =>
    [...names.keys()].filter((k) => GLUED[kind].some((one) => one.test(names[k]))),
  );
  const pairs = lats.flatMap((lat) =>
    lons.filter((lon) => areGlued(names[lat], names[lon])).map((lon) => [lat, lon] as const),
  );
  return pairs.length === 1 ? pairs[0] : undefined;
}

/** The end of what a name says of a kind: the rest, with its digits, tells pairs apart. */
const SAID: Readonly<Record<Kind, RegExp>> = {
  latitude: /(?:latitud(?:es?|ine)?|lats?)(?!.*lat)/,
  longitude: /(?:longitud(?:es?|ine)?|lo?ngs?|lons?)(?!.*(?:lon|lng))/,
};

/**
 * The pairs of a latitude and a longitude among names that differ in nothing else: `start_lat` and `start_lng`, `lat1`
 * and `lon1`.
 */
export function coordinatePairs(columns: readonly string[]): readonly (readonly [lat: number, lon: number])[] {
  const restOf = (k: number, kind: Kind): string => columns[k].toLowerCase().replace(SAID[kind], '');
  const lons = positionsOf(columns, 'longitude');
  return positionsOf(columns, 'latitude').flatMap((lat) =>
    lons.filter((lon) => restOf(lat, 'latitude') === restOf(lon, 'longitude')).map((lon) => [lat, lon] as const),
  );
}

/** The first latitude and the first longitude among names; undefined without both. */
export function firstCoordinates(columns: readonly string[]): readonly string[] | undefined {
  const [lat] = positionsOf(columns, 'latitude');
  const [lon] = positionsOf(columns, 'longitude');
  return lat === undefined || lon === undefined ? undefined : [columns[lat], columns[lon]];
}

function positionsOf(columns: readonly string[], kind: Kind): number[] {
  return kindsAmong(columns).flatMap((one, k) => (one === kind ? [k] : []));
}
