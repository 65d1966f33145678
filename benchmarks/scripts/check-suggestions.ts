// Runs `suggestEps` on the repository's data sets, with the minPts of their documents, and says whether the documents'
// eps is within a factor of 1.5 of a proposal, or inside the plateau: `pnpm --filter @epsball/benchmarks
// check-suggestions [WORD]`. With a word, only data sets whose name has it.
import type {MetricOptions} from '@epsball/clustering';
import {generateDataset, spotsEps} from '@epsball/datasets';
import {suggestEps} from '@epsball/dbscan/suggest';
import {loadPlaces} from './places.ts';

const FACTOR = 1.5;

interface Workload {
  readonly name: string;
  readonly eps: number;
  readonly minPts: number;
  readonly metric?: MetricOptions;
}

/** Generators with the parameters of their documents (docs/papers.md, `datasets`, and `benchmarks`). */
const WORKLOADS: readonly Workload[] = [
  {name: 'milanesi:n=1000000,seed=1', eps: 0.03, minPts: 8},
  {name: 'milanesi:n=100000,seed=1', eps: 0.03, minPts: 8},
  {name: 'circles:n=1500,seed=1', eps: 0.3, minPts: 5},
  {name: 'moons:n=1500,seed=1', eps: 0.3, minPts: 5},
  {name: 'varied:n=1500,seed=1', eps: 0.18, minPts: 5},
  {name: 'aniso:n=1500,seed=1', eps: 0.15, minPts: 5},
  {name: 'blobs:n=1500,seed=1', eps: 0.3, minPts: 5},
  {name: 'no-structure:n=1500,seed=1', eps: 0.3, minPts: 5},
  {name: 'tweets:n=200000,seed=1', eps: 0.01, minPts: 40},
  {name: 'gaussians:n=30000,dim=8,seed=1', eps: 0.05, minPts: 4},
  {name: 'gaussians:n=30000,dim=2,seed=1', eps: 0.008, minPts: 10},
  {name: 'gaussians:n=50000,dim=3,seed=1', eps: 0.02, minPts: 8},
  {name: 'dense-gaussians:n=30000,dim=8,seed=1', eps: 0.05, minPts: 512},
  {name: 'gaussians3d:n=10000,seed=1', eps: 0.5, minPts: 8},
  {name: 'spots:n=200000,dim=2,seed=1', eps: spotsEps(200_000, 2), minPts: 10},
  {name: 'lattice:n=4096,seed=1', eps: 1, minPts: 5},
  {name: 'duplicates:n=10000,seed=1', eps: 0.01, minPts: 5},
  {name: 'line:n=10000,seed=1', eps: 1, minPts: 3},
  {name: 'spiral:n=12000,seed=1', eps: 2.5, minPts: 3},
  {name: 'uniform:n=1000000,seed=1', eps: 0.00138, minPts: 5},
  {name: 'cities in the plane', eps: 0.2, minPts: 8},
  {
    name: 'cities on the globe',
    eps: 20,
    minPts: 8,
    metric: {metric: 'haversine', angles: 'degrees', epsUnit: 'km'},
  },
];

let held = 0;
let shown = 0;
for (const workload of WORKLOADS.filter(({name}) => name.includes(process.argv[2] ?? ''))) {
  const {name, minPts, metric = {}} = workload;
  const points = name.startsWith('cities') ? await loadPlaces() : generateDataset(name);
  const eps = workload.eps;
  const startedAt = performance.now();
  const {knee, cut, plateau, hasStructure} = await suggestEps(points, {minPts, ...metric});
  const seconds = (performance.now() - startedAt) / 1000;
  const isInside = plateau !== undefined && eps >= plateau.from && eps <= plateau.to;
  const near = Object.entries({knee, cut, plateau}).filter(
    ([, proposal]) => proposal !== undefined && Math.max(eps / proposal.eps, proposal.eps / eps) <= FACTOR,
  );
  const found = [...near.map(([kind]) => kind), ...(isInside ? ['inside the plateau'] : [])];
  shown++;
  if (found.length > 0) held++;
  const range = plateau === undefined ? 'none' : `${short(plateau.from)} to ${short(plateau.to)}`;
  const structure = hasStructure ? '' : '; no structure';
  const proposals = `knee ${short(knee?.eps)}, cut ${short(cut?.eps)}, plateau ${range}${structure}`;
  const verdict = found.length === 0 ? 'no proposal' : found.join(', ');
  process.stdout.write(
    `${name}, minPts ${minPts}: eps ${short(eps)}; ${proposals}: ${verdict} (${seconds.toFixed(1)} s)\n`,
  );
}
process.stdout.write(`${held} of ${shown} within a factor of ${FACTOR} of a proposal, or inside the plateau\n`);

function short(value: number | undefined): string {
  return value === undefined ? 'none' : String(Number(value.toPrecision(3)));
}
