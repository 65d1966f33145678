import type {PointSet} from '@epsball/clustering';
import {checkGenerator, cumulativeShares, drawPoints, pickWeighted, type GeneratorOptions} from '../coords.ts';
import type {Random} from '../random.ts';

/** The box of the British Isles, in degrees: longitude, latitude. */
const WEST = -8;
const EAST = 2;
const SOUTH = 50;
const NORTH = 59;

const CITY_COUNT = 300;
const VENUE_COUNT = 5000;

/** Shares of the points at venues (exact duplicates), on roads and in the country. The rest lies in cities. */
const VENUE_SHARE = 0.15;
const ROAD_SHARE = 0.08;
const COUNTRY_SHARE = 0.04;
/** Share of the points with 4 decimals (11 m), as some phones report; the others have 5 (1 m). */
const COARSE_SHARE = 0.3;

interface City {
  readonly lon: number;
  readonly lat: number;
  readonly population: number;
  /** Standard deviations in degrees along the two rotated axes. */
  readonly along: number;
  readonly across: number;
  readonly cos: number;
  readonly sin: number;
}

interface Map {
  readonly cities: readonly City[];
  readonly cityShares: Float64Array;
  /** The cities at both ends. */
  readonly roads: readonly (readonly [City, City])[];
  readonly roadShares: Float64Array;
  /** Longitude and latitude, two per venue. */
  readonly venues: Float64Array;
}

/**
 * Generates longitude and latitude of geo-tagged messages: 300 cities of Zipf-distributed population with elongated,
 * heavy-tailed outlines, roads between neighbours, popular venues where many points coincide, and sparse country.
 * Coordinates are rounded to 4 or 5 decimals, which makes more duplicates. Density differs by orders of magnitude, as
 * in the tweets of HPDBSCAN, which uses eps = 0.01 and minPts = 40 at n = 3,704,351.
 *
 * @returns  n points, `dim` 2, mostly within [−8, 2] × [50, 59], in random order
 * @throws InvalidParameterError  if `n`, `seed` or `precision` is out of range
 * @complexity  O(n + cities²)
 * @source   Götz, Bodenstein, Riedel 2015 (HPDBSCAN), Twitter data set: imitated, not copied
 */
export function tweets(options: GeneratorOptions): PointSet {
  checkGenerator(options);
  return drawPoints(options, 2, (random) => {
    const map = drawMap(random);
    return (point) => drawMessage(map, random, point);
  });
}

function drawMessage(map: Map, random: Random, point: Float64Array): void {
  const kind = random.uniform();
  if (kind < VENUE_SHARE) {
    // Popularity falls with the square root of the rank: the first venue has 1.4 % of the visits.
    const venue = Math.floor(VENUE_COUNT * random.uniform() ** 2);
    point[0] = map.venues[2 * venue];
    point[1] = map.venues[2 * venue + 1];
    return;
  }
  if (kind < VENUE_SHARE + ROAD_SHARE) drawOnRoad(map, random, point);
  else if (kind < VENUE_SHARE + ROAD_SHARE + COUNTRY_SHARE) drawInCountry(random, point);
  else drawInCity(map.cities[pickWeighted(map.cityShares, random)], random, point);
  const scale = random.uniform() < COARSE_SHARE ? 1e4 : 1e5;
  point[0] = Math.round(point[0] * scale) / scale;
  point[1] = Math.round(point[1] * scale) / scale;
}

function drawMap(random: Random): Map {
  const cities: City[] = [];
  for (let rank = 0; rank < CITY_COUNT; rank++) {
    const population = (rank + 1) ** -1.05;
    const angle = random.between(0, Math.PI);
    // Area grows with population: the largest city spreads over 0.13 degrees, the smallest over 0.01.
    const along = 0.005 + 0.125 * Math.sqrt(population);
    cities.push({
      lon: random.between(WEST + 0.5, EAST - 0.5),
      lat: random.between(SOUTH + 0.5, NORTH - 0.5),
      population,
      along,
      across: along * random.between(0.5, 1),
      cos: Math.cos(angle),
      sin: Math.sin(angle),
    });
  }
  const cityShares = cumulativeShares(cities.map((city) => city.population));
  const roads = drawRoads(cities);
  const roadShares = cumulativeShares(roads.map(([a, b]) => Math.sqrt(a.population * b.population)));
  const venues = new Float64Array(2 * VENUE_COUNT);
  const point = new Float64Array(2);
  for (let k = 0; k < VENUE_COUNT; k++) {
    drawInCity(cities[pickWeighted(cityShares, random)], random, point);
    venues[2 * k] = Math.round(point[0] * 1e5) / 1e5;
    venues[2 * k + 1] = Math.round(point[1] * 1e5) / 1e5;
  }
  return {cities, cityShares, roads, roadShares, venues};
}

/** A road from every city to the nearest larger one. The roads form a tree over all cities. */
function drawRoads(cities: readonly City[]): (readonly [City, City])[] {
  const roads: (readonly [City, City])[] = [];
  for (let a = 1; a < cities.length; a++) {
    let nearest = cities[0];
    let nearest2 = Infinity;
    for (let b = 0; b < a; b++) {
      const distance2 = (cities[a].lon - cities[b].lon) ** 2 + (cities[a].lat - cities[b].lat) ** 2;
      if (distance2 < nearest2) {
        nearest = cities[b];
        nearest2 = distance2;
      }
    }
    roads.push([cities[a], nearest]);
  }
  return roads;
}

function drawInCity(city: City, random: Random, point: Float64Array): void {
  // Division by the root of a uniform number makes heavy tails (suburbs), of at most 1 / √0.05 = 4.5 times the width.
  const reach = Math.sqrt(random.between(0.05, 1));
  const u = (city.along * random.gaussian()) / reach;
  const v = (city.across * random.gaussian()) / reach;
  point[0] = city.lon + u * city.cos - v * city.sin;
  point[1] = city.lat + u * city.sin + v * city.cos;
}

function drawOnRoad(map: Map, random: Random, point: Float64Array): void {
  const [a, b] = map.roads[pickWeighted(map.roadShares, random)];
  const t = random.uniform();
  point[0] = a.lon + t * (b.lon - a.lon) + 0.003 * random.gaussian();
  point[1] = a.lat + t * (b.lat - a.lat) + 0.003 * random.gaussian();
}

function drawInCountry(random: Random, point: Float64Array): void {
  point[0] = random.between(WEST, EAST);
  point[1] = random.between(SOUTH, NORTH);
}
