/** Names of scikit-learn and of other packages for the same option, in lower case without `_` and `-`. */
const SYNONYMS: Readonly<Record<string, string>> = {
  epsilon: 'eps',
  radius: 'eps',
  minsamples: 'minPts',
  minpoints: 'minPts',
  mincount: 'minPts',
  minsize: 'minPts',
  njobs: 'threads',
  weights: 'sampleWeight',
  weight: 'sampleWeight',
  distance: 'metric',
  variant: 'algorithm',
  unit: 'epsUnit',
  units: 'epsUnit',
  abortsignal: 'signal',
};

/** A synonym, or the closest name by edits. Undefined if more than a third of the letters differ. */
export function nearestName(unknown: unknown, names: readonly string[]): string | undefined {
  // Callers without type checks may pass anything.
  const plain = plainOf(typeof unknown === 'string' ? unknown : '');
  const synonym = SYNONYMS[plain];
  if (synonym !== undefined && names.includes(synonym)) return synonym;
  let nearest: string | undefined;
  let fewest = Math.floor(Math.max(plain.length, 3) / 3) + 1;
  for (const name of names) {
    const edits = editsBetween(plain, plainOf(name));
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = name;
  }
  return nearest;
}

/** `one of eps, minPts for dbscan; did you mean minPts?`; `scope` is ` for dbscan`. */
export function describeNames(unknown: unknown, names: readonly string[], scope = ''): string {
  const nearest = nearestName(unknown, names);
  return `one of ${names.join(', ')}${scope}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({length: b.length + 1}, (_, k) => k);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let k = 0; k < b.length; k++) {
      const isSwap = i > 0 && k > 0 && a[i] === b[k - 1] && a[i - 1] === b[k];
      const swapped = isSwap ? before[k - 1] + 1 : Infinity;
      next.push(Math.min(row[k] + (a[i] === b[k] ? 0 : 1), row[k + 1] + 1, next[k] + 1, swapped));
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
