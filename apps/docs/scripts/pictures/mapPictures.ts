import {dbscan} from '@epsball/dbscan';
import {circle, classOf, drawPanels, fitPanel, line, PANEL, text, type Panel, type Places} from './panels.ts';

/** Islands of Fiji, on both sides of the longitude 180°: `[longitude, latitude]`, to a tenth of a degree. */
const ISLANDS: Places = [
  [179.4, -16.4],
  [179.8, -16.5],
  [180, -16.7],
  [-179.9, -16.9],
  [-179.8, -16.2],
  [-179.3, -17.3],
  [-178.9, -17.2],
  [-178.8, -18.2],
  [177.4, -17.8],
  [178.4, -18.1],
  [177.4, -17.6],
  [178.2, -17.4],
];
const DEGREE = Math.PI / 180;
/** Radius of the sphere, in km. */
const EARTH = 6371.0088;

/** Pictures of the page about maps, by name. */
export async function mapPictures(): Promise<Record<string, string>> {
  const plain = await dbscan(ISLANDS, {eps: 1, minPts: 2});
  const globe = await dbscan(
    ISLANDS.map(([lon, lat]) => ({lat, lon})),
    {metric: 'haversine', angles: 'degrees', eps: 110, epsUnit: 'km', minPts: 2},
  );
  return {
    'map-balls': drawPanels('What 500 km around a place is in degrees', [0, 45, 70].map(ballPanel)),
    'map-dateline': drawPanels('Islands on both sides of the longitude 180', [
      islandsPanel(plain.labels, 'Degrees as x and y: the date line cuts'),
      islandsPanel(globe.labels, 'haversine: one group across it'),
    ]),
  };
}

/** The points 500 km from a place, over a window of 32 × 25 degrees. */
function ballPanel(latitude: number): Panel {
  const pixels = PANEL.width / 32;
  const angle = 500 / EARTH;
  const middle = [PANEL.width / 2, PANEL.height / 2] as const;
  const outline = Array.from({length: 91}, (_, k) => {
    const bearing = k * 4 * DEGREE;
    const phi = latitude * DEGREE;
    const sine = Math.sin(phi) * Math.cos(angle) + Math.cos(phi) * Math.sin(angle) * Math.cos(bearing);
    const lambda = Math.atan2(
      Math.sin(bearing) * Math.sin(angle) * Math.cos(phi),
      Math.cos(angle) - Math.sin(phi) * sine,
    );
    const y = middle[1] - (Math.asin(sine) / DEGREE - latitude) * pixels;
    return `${Math.round(middle[0] + (lambda / DEGREE) * pixels)} ${Math.round(y)}`;
  });
  return {
    title: `500 km around latitude ${latitude}°`,
    svg:
      `<path class="c0 ball" d="M${outline.join('L')}Z"/>` +
      circle(middle, 3.2, 'ink') +
      text([middle[0], PANEL.height - 12], '32 degrees of longitude wide', 'middle'),
  };
}

/** Longitudes from 176° to 184°, which is −176°. */
function islandsPanel(labels: Int32Array, title: string): Panel {
  const shown = ISLANDS.map(([lon, lat]) => [lon < 0 ? lon + 360 : lon, lat] as const);
  const {at} = fitPanel([...shown, [176.6, -17.2], [182, -17.2]]);
  const [x] = at([180, 0]);
  const points = shown.map((place, i) => circle(at(place), 5, classOf(labels[i])));
  return {title, svg: line([x, 0], [x, PANEL.height], 'long') + text([x + 6, 18], '180°', 'start') + points.join('')};
}
