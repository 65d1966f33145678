import {IS_PUBLISHED} from '../published.ts';
import {readManifest} from './run.ts';

/** The folder of tarballs in a clone, which is beside the user's folder in all texts. */
export const TARBALLS = '../epsball/tarballs';

const BLOCK = /^<!-- install: (.+) -->$[\s\S]*?^<!-- \/install -->$/gm;

const LINE_MAX = 120;

/**
 * The text with the current lines in all its blocks.
 *
 * @param isPublished  whether the packages are on npm. Default: as `published.ts` says
 */
export function withInstallLines(text: string, isPublished: boolean = IS_PUBLISHED): string {
  let blocks = 0;
  return text.replaceAll(BLOCK, (_, specs: string) => {
    const words = specs.split(' ');
    return isPublished
      ? blockOf(words, words, '')
      : blockOf(words, words.map(tarballOf), blocks++ === 0 ? sentence() : '');
  });
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

function sentence(): string {
  const {packageManager = 'pnpm'} = readManifest('package.json');
  return `No package is on npm yet: \`npx -y ${packageManager} tarballs\` in a clone of the repository packs them. With the clone in
\`../epsball\`:

`;
}

function blockOf(specs: readonly string[], words: readonly string[], before: string): string {
  const line = shellLines(['npm', 'install', ...words]).join('\n');
  return `<!-- install: ${specs.join(' ')} -->\n\n${before}\`\`\`sh\n${line}\n\`\`\`\n\n<!-- /install -->`;
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
