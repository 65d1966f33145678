/** Words of a document without its emphasis and TeX. */
export function plainText(text: string): string {
  return text
    .replaceAll(/\*\*|\$|`/g, '')
    .replaceAll(/\*(?=\S)([^*]+)\*/g, '$1')
    .replace(/^- /, '')
    .replaceAll(String.raw`\,`, ' ')
    .replaceAll(String.raw`\epsilon`, 'ε')
    .replaceAll(String.raw`\times`, '×')
    .replaceAll(String.raw`\cdot`, '·')
    .replaceAll(String.raw`\log`, 'log')
    .replaceAll('n^2', 'n²');
}
