const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as content or attribute value of HTML, SVG and XML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char]);
}

/** A value as JSON on one line. Characters that a terminal obeys instead of showing them are escaped. */
export function jsonLine(value: unknown): string {
  const escapeUnits = (char: string): string =>
    Array.from({length: char.length}, (_, k) => `\\u${char.charCodeAt(k).toString(16).padStart(4, '0')}`).join('');
  return `${JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, escapeUnits)}\n`;
}
