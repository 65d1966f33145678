// Puts the built playground into the built site, at /playground/.
//
// node scripts/addPlayground.ts
import {cpSync} from 'node:fs';
import {join} from 'node:path';

const APPS = join(import.meta.dirname, '../..');

cpSync(join(APPS, 'playground/dist'), join(APPS, 'docs/.vitepress/dist/playground'), {recursive: true});
