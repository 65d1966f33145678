// Draws the pictures of the guides: by the packages, and by the commands that the guides show.
//
// node --conditions=@epsball/source scripts/writePictures.ts FOLDER
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {dbscanPictures} from './pictures/dbscanPictures.ts';
import {epsball} from './pictures/epsball.ts';
import {hdbscanPictures} from './pictures/hdbscanPictures.ts';
import {mapPictures} from './pictures/mapPictures.ts';

const [, , folder] = process.argv;
mkdirSync(folder, {recursive: true});
const pictures = {...(await dbscanPictures()), ...(await hdbscanPictures()), ...(await mapPictures())};
for (const [name, svg] of Object.entries(pictures)) writeFileSync(join(folder, `${name}.svg`), svg);
epsball(['generate', 'varied:n=450,seed=2', '--out', 'varied.csv'], folder);
epsball(['generate', 'moons:n=1500,seed=7', '--out', 'moons.csv'], folder);
epsball(['hdbscan', 'varied.csv', '--min-cluster-size', '15', '--tree', 'hdbscan-tree.svg'], folder);
epsball(['suggest', 'moons.csv', '--min-pts', '5', '--plot', 'suggestion.svg'], folder);
