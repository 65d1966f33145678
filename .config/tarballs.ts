// Packs all published packages for an installation from a clone: `tarballs/epsball-dbscan.tgz` and others. They depend
// on each other by path, so that npm installs one of them without a registry that has the others.
//
// pnpm tarballs
import {rmSync} from 'node:fs';
import {join} from 'node:path';
import {linkTarballs, packAll} from './packages/pack.ts';
import {print, ROOT} from './packages/run.ts';

const folder = join(ROOT, 'tarballs');
rmSync(folder, {recursive: true, force: true});
const packed = packAll(join(folder, 'packed'));
linkTarballs(packed, folder);
rmSync(join(folder, 'packed'), {recursive: true});
print(`${packed.length} packages in ${folder}`);
