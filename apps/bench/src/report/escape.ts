import {escapeHtml} from '@epsball/cli/command';

/**
 * Text as a paragraph, heading, list item or table cell of Markdown (CommonMark with GitHub's tables). The text appears
 * unchanged but for white space, which is collapsed because a line break could begin a block.
 */
export function escapeMarkdown(text: string): string {
  return (
    text
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .replaceAll(/[\\`*[\]|~$]/g, String.raw`\$&`)
      // Between letters and digits an underscore is no emphasis.
      .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`)
      // Entities, because HTML has no other escape for these; a backslash would do for CommonMark alone.
      .replaceAll(/[&<>]/g, escapeHtml)
      // A heading, a list or a rule.
      .replace(/^(\d*)([#+\-=.)])/, String.raw`$1\$2`)
  );
}

/**
 * A field of a CSV table (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front,
 * which a spreadsheet hides. Numbers stay as they are.
 *
 * @source  OWASP, CSV Injection
 */
export function escapeCsv(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
