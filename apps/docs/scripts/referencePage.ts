/** Names of groups, as a reader knows them. */
const GROUPS: Readonly<Record<string, string>> = {
  'Type Aliases': 'Types',
  Variables: 'Constants',
  References: 'From other packages',
};

/**
 * A page of the reference for readers: with the name of the module that a program imports, not that of its file, a link
 * to the README of the package, and all errors of a function under one heading.
 *
 * @param text  Markdown, as typedoc writes it
 */
export function forReaders(text: string): string {
  const named = text
    .replace(/^# ([\w-]+)\/src(.*)$/m, (_, name: string, subpath: string) =>
      [`# @epsball/${name}${subpath}`, `Examples, limits and figures are in the [README](/packages/${name}).`].join(
        '\n\n',
      ),
    )
    .replaceAll(/\[([\w-]+)\/src([/\w-]*)\]/g, '[@epsball/$1$2]')
    .replaceAll(/^## (.+)$/gm, (_, group: string) => `## ${GROUPS[group] ?? group}`);
  return listErrors(named);
}

/** The sections `Throws` of a function as one, with a list. */
function listErrors(text: string): string {
  const isHeading = (block: string): boolean => /^#{4,6} Throws$/.test(block);
  const blocks = text.split('\n\n');
  return blocks
    .flatMap((block, k) => {
      if (k > 0 && isHeading(blocks[k - 1])) return [asItem(block)];
      const isRepeated = k > 1 && isHeading(block) && blocks[k - 2] === block;
      return isRepeated ? [] : [block];
    })
    .join('\n\n');
}

/** `InvalidPointsError, RunAbortedError  if …` as an item of a list, with the classes as code. */
function asItem(text: string): string {
  const [, classes, condition] = /^((?:\w*Error(?:,\s+)?)+)\s*([\s\S]*)$/.exec(text) ?? [undefined, '', text];
  const words = condition.split(/\s+/).join(' ');
  return `- ${[
    classes
      .trim()
      .replaceAll(/\w*Error/g, '`$&`')
      .replaceAll(/\s+/g, ' '),
    words,
  ]
    .filter(Boolean)
    .join(' ')}`;
}
