import {hdbscan} from '@epsball/hdbscan';
import {clustersPanel} from './dbscanPictures.ts';
import {generatePlaces} from './epsball.ts';
import {circle, classOf, drawPanels, fitPanel, line, type Panel, type Places} from './panels.ts';

const PARAMS = {minClusterSize: 8, minSamples: 4};

/** Pictures of the page about HDBSCAN*, by name. */
export async function hdbscanPictures(): Promise<Record<string, string>> {
  const few = generatePlaces('varied:n=90,seed=2');
  const many = generatePlaces('varied:n=450,seed=2');
  return {
    'hdbscan-one-radius': drawPanels('Three blobs of different spread, and no radius that suits all', [
      await clustersPanel(many, {eps: 0.08, minPts: 5}, 'DBSCAN, eps = 0.08'),
      await clustersPanel(many, {eps: 0.16, minPts: 5}, 'DBSCAN, eps = 0.16'),
      await clustersPanel(many, {eps: 0.45, minPts: 5}, 'DBSCAN, eps = 0.45'),
    ]),
    'hdbscan-steps': drawPanels('Core distances, the spanning tree, and the selected clusters', await steps(few)),
  };
}

async function steps(places: Places): Promise<Panel[]> {
  const {labels, probabilities, hierarchy} = await hdbscan(places, PARAMS);
  const {from, to, squared} = await hierarchy.edges();
  const {scale, at} = fitPanel(places);
  const dots = places.map((place) => circle(at(place), 2.6, 'ink'));
  const balls = places.map((place, i) => circle(at(place), Math.sqrt(hierarchy.coreSquared[i]) * scale, 'thin'));
  const long = squared.toSorted()[Math.floor(squared.length * 0.93)];
  const edges = Array.from(from, (a, k) => line(at(places[a]), at(places[to[k]]), squared[k] > long ? 'long' : 'edge'));
  const clusters = places.map((place, i) =>
    circle(
      at(place),
      labels[i] < 0 ? 2.2 : 3.6,
      classOf(labels[i]),
      `fill-opacity="${0.35 + 0.65 * probabilities[i]}"`,
    ),
  );
  return [
    {title: `1. Distance to the ${PARAMS.minSamples}th nearest point`, svg: balls.join('') + dots.join('')},
    {title: '2. Spanning tree; its longest edges dashed', svg: edges.join('') + dots.join('')},
    {title: '5. Selected clusters; pale: less certain', svg: clusters.join('')},
  ];
}
