import {IS_PUBLISHED} from '../published.ts';
import {readManifest} from './run.ts';

/** The folder of tarballs in a clone, which is beside the user's folder in all texts. */
export const TARBALLS = '../epsball/tarballs';

const BLOCK = /^<!-- install: (.+) -->$[\s\S]*?^<!-- \/install -->$/gm;

const LINE_MAX = 120;

/** The text with the current lines in all its blocks. */
export function withInstallLines(text: string): string {
  let blocks = 0;
  return text.replaceAll(BLOCK, (_, specs: string) => blockOf(specs.split(' '), blocks++ === 0));
}

/** What the blocks of a text install, block by block: `@epsball/dbscan`, `webgpu@0.6`. */
export function specsIn(text: string): string[][] {
  return [...text.matchAll(BLOCK)].map(([, specs]) => specs.split(' '));
}

/** Whether a line outside the blocks names packages of this repository as if they were on npm. */
export function hasStrayLine(text: string): boolean {
  return /\bnpm install\b[^\n`]*@epsball\/|\bnpx @epsball\//.test(text.replaceAll(BLOCK, ''));
}

/** A package as `npm install` takes it from a clone. */
export function tarballOf(spec: string): string {
  return spec.startsWith('@epsball/') ? `${TARBALLS}/${tarballName(spec)}` : spec;
}

export function tarballName(name: string): string {
  return `${name.replace('@', '').replace('/', '-')}.tgz`;
}

/** A block. Only the first one of a page says where the tarballs come from. */
function blockOf(specs: readonly string[], isFirst: boolean): string {
  const {packageManager = 'pnpm'} = readManifest('package.json');
  const words = IS_PUBLISHED ? specs : specs.map(tarballOf);
  const sentence = [
    `No package is on npm yet: \`npx -y ${packageManager} tarballs\` in a clone of the repository packs them. With the clone in`,
    '`../epsball`:',
    '',
  ];
  return [
    `<!-- install: ${specs.join(' ')} -->`,
    '',
    ...(IS_PUBLISHED || !isFirst ? [] : sentence),
    '```sh',
    ...shellLines(['npm', 'install', ...words]),
    '```',
    '',
    '<!-- /install -->',
  ].join('\n');
}

/** A command in lines of at most 120 characters. */
function shellLines(words: readonly string[]): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line.length + word.length + 3 > LINE_MAX) {
      lines.push(`${line} \\`);
      line = ` ${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
