/**
 * The script of the page. It only sorts tables by a click on a heading, and opens the folds around the target of a
 * link; the page is complete without it. It loads nothing.
 */
export const PAGE_SCRIPT = `
for (const table of document.querySelectorAll('table.sortable')) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (head.textContent === '') return;
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const up = head.getAttribute('aria-sort') !== 'ascending';
      for (const one of heads) one.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      const rows = [...table.tBodies[0].rows].map((row) => ({row, key: keyOf(row.cells[column])}));
      rows.sort((a, b) => (up ? 1 : -1) * (typeof a.key === 'number' && typeof b.key === 'number' ? a.key - b.key : String(a.key).localeCompare(String(b.key), 'en', {numeric: true})));
      table.tBodies[0].append(...rows.map(({row}) => row));
    });
  });
}
function keyOf(cell) {
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  const text = (cell.firstChild?.textContent ?? '').trim();
  const match = /^(?:[†‡] )?(-?[\\d,.]+)\\s*(µs|ms|s|min|h|%|×)?$/.exec(text);
  if (match === null) return text;
  return Number(match[1].replaceAll(',', '')) * ({µs: 1e-3, ms: 1, s: 1e3, min: 6e4, h: 36e5}[match[2]] ?? 1);
}
function openTarget() {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  if (target === null) return;
  for (let fold = target.closest('details'); fold !== null; fold = fold.parentElement.closest('details')) fold.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();
addEventListener('beforeprint', () => { for (const fold of document.querySelectorAll('details')) fold.open = true; });
`;
