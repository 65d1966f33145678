import {dbscan} from '@epsball/dbscan';
import {generatePlaces} from './epsball.ts';
import {circle, classOf, drawPanels, fitPanel, text, type Panel, type Places} from './panels.ts';

/** Two half circles, and points between and around them. */
const STRAYS: Places = [
  [-1.9, -1.4],
  [1.9, 1.35],
  [0.05, 0.1],
  [-1.75, -0.62],
];
const PARAMS = {eps: 0.42, minPts: 4};

/** Pictures of the page about DBSCAN, by name. */
export async function dbscanPictures(): Promise<Record<string, string>> {
  const moons = [...generatePlaces('moons:n=70,seed=3'), ...STRAYS];
  const many = [...generatePlaces('moons:n=300,seed=3'), ...STRAYS];
  return {
    'dbscan-kinds': drawPanels('Balls around points, and the clusters that they make', [
      await kindsPanel(moons),
      await ballsPanel(moons),
      await clustersPanel(moons, PARAMS, 'The clusters'),
    ]),
    'dbscan-eps': drawPanels('The same points with three values of eps', [
      await clustersPanel(many, {eps: 0.1, minPts: 5}, 'eps = 0.1: pieces and noise'),
      await clustersPanel(many, {eps: 0.28, minPts: 5}, 'eps = 0.28: two groups'),
      await clustersPanel(many, {eps: 0.62, minPts: 5}, 'eps = 0.62: all in one'),
    ]),
  };
}

/** One core point, one border point and one noise point, each with its ball. */
async function kindsPanel(places: Places): Promise<Panel> {
  const {labels, coreMask} = await dbscan(places, PARAMS);
  const {scale, at} = fitPanel(places);
  const rightmost = (holds: (i: number) => boolean): number =>
    places
      .map((_, i) => i)
      .reduce((best, i) => (holds(i) && (best < 0 || places[i][0] > places[best][0]) ? i : best), -1);
  const shown = [
    ['core', rightmost((i) => coreMask[i] === 1 && Math.abs(places[i][1]) < 0.9 && places[i][0] < -0.6)],
    ['border', rightmost((i) => coreMask[i] === 0 && labels[i] >= 0)],
    ['noise', rightmost((i) => labels[i] < 0 && places[i][0] < 1.5)],
  ] as const;
  const points = places.map((place) => circle(at(place), 3.2, 'noise'));
  const marks = shown.flatMap(([name, i]) => {
    if (i < 0) return [];
    const [x, y] = at(places[i]);
    const inside = places.filter(([a, b]) => Math.hypot(a - places[i][0], b - places[i][1]) <= PARAMS.eps).length;
    return [
      circle([x, y], PARAMS.eps * scale, 'mark'),
      circle([x, y], 4.4, 'ink'),
      text([x, y - PARAMS.eps * scale - 5], `${name}: ${inside}`, 'middle'),
    ];
  });
  return {title: `Points within eps, minPts = ${PARAMS.minPts}`, svg: points.join('') + marks.join('')};
}

/** The balls of the core points: where they touch the next core point, they are one cluster. */
async function ballsPanel(places: Places): Promise<Panel> {
  const {labels, coreMask} = await dbscan(places, PARAMS);
  const {scale, at} = fitPanel(places);
  const balls = places.map((place, i) =>
    coreMask[i] === 1 ? circle(at(place), PARAMS.eps * scale, `${classOf(labels[i])} ball`) : '',
  );
  const points = places.map((place, i) => circle(at(place), 3.2, coreMask[i] === 1 ? classOf(labels[i]) : 'noise'));
  return {title: 'Balls of core points that reach each other', svg: balls.join('') + points.join('')};
}

export async function clustersPanel(
  places: Places,
  params: {readonly eps: number; readonly minPts: number},
  title: string,
): Promise<Panel> {
  const {labels, coreMask} = await dbscan(places, params);
  const {at} = fitPanel(places);
  const points = places.map((place, i) => {
    const isBorder = labels[i] >= 0 && coreMask[i] === 0;
    return isBorder
      ? circle(at(place), 3, classOf(labels[i]).replace('c', 'l'), 'stroke-width="1.6"')
      : circle(at(place), labels[i] < 0 ? 2.4 : 3.4, classOf(labels[i]));
  });
  return {title, svg: points.join('')};
}
