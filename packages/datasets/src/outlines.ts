/** A line of a coast or a border, with its box. */
export interface Outline {
  /** Longitude and latitude in degrees. */
  readonly line: readonly (readonly [longitude: number, latitude: number])[];
  readonly min: readonly [longitude: number, latitude: number];
  readonly max: readonly [longitude: number, latitude: number];
}

/** Edges of the map. Segments of a polygon along them are not coasts. */
const EDGE = {longitude: 179.999, latitude: -89.99};

let outlines: Promise<readonly Outline[]> | undefined;

/**
 * Loads coasts and borders of countries: Natural Earth, 1 : 50,000,000, public domain, with errors of a few kilometres.
 * Lines end at the antimeridian.
 *
 * They come from the npm packages `world-atlas` (8 MB) and `topojson-client`, optional peer dependencies.
 */
export function loadOutlines(): Promise<readonly Outline[]> {
  outlines ??= readAtlas();
  return outlines;
}

async function readAtlas(): Promise<readonly Outline[]> {
  const [{mesh}, {default: world}] = await Promise.all([
    import('topojson-client'),
    import('world-atlas/countries-50m.json', {with: {type: 'json'}}),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type of a JSON file has no literals
  const topology = world as unknown as Parameters<typeof mesh>[0];
  return mesh(topology).coordinates.flatMap(parts).map(withBox);
}

/** A line without the segments along or across the edges of the map. */
function parts(line: readonly (readonly number[])[]): Outline['line'][] {
  const found: [number, number][][] = [];
  let isApart = true;
  for (const [k, [longitude, latitude]] of line.entries()) {
    const [before, south] = line[k - 1] ?? [NaN, NaN];
    isApart ||= Math.abs(longitude - before) > 180;
    isApart ||= Math.abs(longitude) > EDGE.longitude && Math.abs(before) > EDGE.longitude;
    isApart ||= latitude < EDGE.latitude && south < EDGE.latitude;
    if (isApart) found.push([]);
    found.at(-1)?.push([longitude, latitude]);
    isApart = false;
  }
  return found.filter(({length}) => length > 1);
}

function withBox(line: Outline['line']): Outline {
  const min: [number, number] = [Infinity, Infinity];
  const max: [number, number] = [-Infinity, -Infinity];
  for (const place of line) {
    for (const axis of [0, 1]) {
      min[axis] = Math.min(min[axis], place[axis]);
      max[axis] = Math.max(max[axis], place[axis]);
    }
  }
  return {line, min, max};
}
