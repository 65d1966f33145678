import fs from 'node:fs';
import {createHdbscan} from '@epsball/hdbscan';
import {Session} from 'node:inspector/promises';
const b = fs.readFileSync('/tmp/sets/s2-1.npy'); const h = b.readUInt16LE(8); const bytes = b.buffer.slice(b.byteOffset + 10 + h, b.byteOffset + b.length);
const points = {coords: new Float32Array(bytes), dim: 2};
const hd = await createHdbscan({backend: 'workers', threads: 2});
const P = {minClusterSize: 10, minSamples: 10};
for (let k = 0; k < 2; k++) await hd.run(points, P);
const ss = new Session(); ss.connect(); await ss.post('Profiler.enable'); await ss.post('Profiler.setSamplingInterval', {interval: 200}); await ss.post('Profiler.start');
const N = 4; const ph: any = {}; for (let k = 0; k < N; k++) { const r = await hd.run(points, P); for (const [a, v] of Object.entries(r.stats.phaseMs)) ph[a] = (ph[a] ?? 0) + (v as number) / N; }
console.log(ph);
const {profile} = await ss.post('Profiler.stop'); const self = new Map();
const by = new Map(profile.nodes.map((n: any) => [n.id, n]));
profile.samples!.forEach((id: number, k: number) => { const c = (by.get(id) as any).callFrame; const key = c.functionName + ' ' + c.url.split('/').pop() + ':' + c.lineNumber; self.set(key, (self.get(key) ?? 0) + profile.timeDeltas![k]); });
for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 40)) console.log((v / N / 1000).toFixed(2), k);
process.exit(0);
