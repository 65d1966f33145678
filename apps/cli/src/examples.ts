import type {Command} from 'commander';

/** Three lines to type for each command. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  cluster: [
    'epsball cluster points.csv --eps 0.2 --min-pts 5 --out labels.csv',
    'epsball cluster gps.csv --columns lat,lon --metric haversine --eps 200m --min-pts 5 --plot map.svg',
    `epsball cluster --sql "SELECT x, y, id FROM 'a/*.parquet' WHERE z > 9" --eps 0.2 --min-pts 5 --keep id --out -`,
  ],
  hdbscan: [
    'epsball hdbscan points.csv --min-cluster-size 20 --out labels.csv',
    'epsball hdbscan points.csv --min-cluster-size 20 --min-samples 5 --tree tree.svg',
    'epsball hdbscan gps.csv --columns lat,lon --metric haversine --min-cluster-size 10 --explain 7',
  ],
  graph: [
    'epsball graph roads.csv --columns from,to,km --eps 20 --min-pts 2',
    'epsball graph roads.csv --columns from,to,km --min-cluster-size 3 --out labels.csv',
    'epsball graph friends.csv --columns a,b --min-pts 3',
  ],
  scale: [
    "epsball scale run 'points-*.parquet' --eps 0.5 --min-pts 10 --work work --out labels.npy",
    `epsball scale run --sql "SELECT x, y FROM 'a/*.parquet' WHERE z > 9" --eps 0.5 --min-pts 10 --work work`,
    'epsball scale runs redis://host',
  ],
  predict: [
    'epsball predict places.arrow new.csv --out labels.csv',
    'epsball predict places.arrow new.csv --columns lat,lon --out labels.csv',
    'epsball predict places.arrow new.npy --out labels.npy',
  ],
  suggest: [
    'epsball suggest points.csv',
    'epsball suggest points.csv --min-pts 8 --plot curve.svg',
    'epsball suggest gps.csv --columns lat,lon --metric haversine --unit m',
  ],
  validity: [
    'epsball validity labels.npy points.csv',
    'epsball validity labels.csv points.csv --columns x,y --label-column label',
    'epsball validity labels.csv points.npy --threads 4 --out scores.csv',
  ],
  watch: [
    'cat points.csv | epsball watch --eps 0.2 --min-pts 5 --last 1000',
    'cat gps.csv | epsball watch --columns lat,lon --metric haversine --eps 50m --min-pts 5 --last 500',
    'tail -f gps.ndjson | epsball watch --columns lat,lon --eps 0.1 --min-pts 2 --time-column when --window 5min',
  ],
  segment: [
    'epsball segment photo.jpg --spatial-bandwidth 8 --color-bandwidth 8 --out segments.png',
    'epsball segment photo.jpg --spatial-bandwidth 16 --color-bandwidth 8 --paint mean --out segments.png',
    'epsball segment photo.jpg --spatial-bandwidth 8 --color-bandwidth 8 --backend workers --out segments.jpg',
  ],
  generate: [
    'epsball generate moons:n=1500,seed=7 --out moons.csv',
    'epsball generate uniform:n=100000,dim=3 --out points.npy',
    'epsball list datasets',
  ],
  list: ['epsball list algorithms', 'epsball list datasets', 'epsball list algorithms --color | less -R'],
  doctor: ['epsball doctor', 'EPSBALL_ADAPTER=software epsball doctor', 'npm install webgpu@0.6 && epsball doctor'],
  completion: [
    'source <(epsball completion bash)',
    'epsball completion zsh > "${fpath[1]}/_epsball"',
    'epsball completion fish > ~/.config/fish/completions/epsball.fish',
  ],
};

/** Puts the examples of a command below its help. */
export function addExamples(program: Command): void {
  for (const command of program.commands) {
    const lines = EXAMPLES[command.name()];
    if (lines !== undefined)
      command.addHelpText('after', `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
}
