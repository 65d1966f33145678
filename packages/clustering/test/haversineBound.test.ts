import {expect, it} from 'vitest';
import {metricPoints, metricRadius, squaredDistance, squaredEps} from '../src/index.ts';

const EARTH_RADIUS = 6_371_008.8;
const OPTIONS = {metric: 'haversine', angles: 'radians', epsUnit: 'rad'} as const;

/** The angle between two places by the half-angle formula, as scikit-learn computes it. */
function angleByHalves(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const [byLat, byLon] = [Math.sin(0.5 * (lat1 - lat2)), Math.sin(0.5 * (lon1 - lon2))];
  return 2 * Math.asin(Math.min(1, Math.sqrt(byLat * byLat + Math.cos(lat1) * Math.cos(lat2) * byLon * byLon)));
}

function areNeighbors(lat1: number, lon1: number, lat2: number, lon2: number, eps: number): boolean {
  const {coords} = metricPoints({coords: Float64Array.of(lat1, lon1, lat2, lon2), dim: 2}, OPTIONS);
  const radius = metricRadius(eps, OPTIONS);
  return squaredDistance(coords, 3, 0, 1) <= (radius.eps2 ?? squaredEps(radius.eps));
}

/** The farthest, in metres, that a pair is from eps where both formulas differ about it, and its chord in the bound. */
function worstDifference(fromAntipode: number): {metres: number; share: number} {
  let [metres, share] = [0, 0];
  for (let k = 1; k <= 4000; k++) {
    const lat = 1.4 * Math.sin(k);
    const lon = 3 * Math.cos(3 * k);
    const direction = 5 * k;
    const [antiLat, antiLon] = [-lat, lon > 0 ? lon - Math.PI : lon + Math.PI];
    const lat2 = antiLat + fromAntipode * Math.cos(direction);
    const lon2 = antiLon + (fromAntipode * Math.sin(direction)) / Math.cos(antiLat);
    const angle = angleByHalves(lat, lon, lat2, lon2);
    // eps at a distance that falls with the angle's own distance from the antipode.
    const width = Math.min(8e-15 / fromAntipode, fromAntipode);
    const eps = Math.min(angle + width * Math.sin(7 * k), Math.PI * (1 - 2 ** -52));
    if (areNeighbors(lat, lon, lat2, lon2, eps) === angle <= eps) continue;
    metres = Math.max(metres, Math.abs(angle - eps) * EARTH_RADIUS);
    const chord = 2 * Math.sin(0.5 * eps);
    share = Math.max(share, Math.abs(2 * Math.sin(0.5 * angle) - chord) / (2 ** -48 * (1 + chord)));
  }
  return {metres, share};
}

it('differs from the half-angle formula by up to 1.4 m at the antipode, and within the bound of docs/contract.md', () => {
  const atAntipode = worstDifference(1.04e-7);
  expect(atAntipode.metres).toBeGreaterThan(23e-9);
  expect(atAntipode.metres).toBeLessThan(1.4);
  for (const fromAntipode of [1e-8, 1.04e-7, 1e-6, 1e-4, 0.01]) {
    expect(worstDifference(fromAntipode).share).toBeLessThan(1);
  }
});

it('keeps the bounds that docs/contract.md lists', () => {
  const metresAt = (distance: number): number => {
    const angle = distance / EARTH_RADIUS;
    return (2 ** -48 * (1 + 2 * Math.sin(0.5 * angle)) * EARTH_RADIUS) / Math.cos(0.5 * angle);
  };
  expect(metresAt(100e3)).toBeLessThan(23.1e-9);
  expect(metresAt(10_000e3)).toBeLessThan(80e-9);
  expect(metresAt(19_000e3)).toBeLessThan(1e-6);
  // At the antipode the chord is 2 − φ² / 4.
  expect(2 * Math.sqrt(3 * 2 ** -48) * EARTH_RADIUS).toBeLessThan(1.4);
});
