import {Dataset, type File as Hdf5File, type ready} from 'h5wasm/node';
import {DatasetFormatError, listed, quoted} from './errors.ts';

export type Library = Awaited<typeof ready>;

/** Soft links that one name may go through. */
const LINKS_MAX = 16;

/**
 * Finds a dataset in an open file. Soft links are followed inside the file; external links are not followed.
 *
 * @param name  path inside the file; may be omitted where the file holds one dataset
 */
export function findDataset(path: string, library: Library, file: Hdf5File, name: string | undefined): Dataset {
  const tree = readTree(library, file);
  const datasets = [...tree.datasets.keys()].map((inner) => {
    return {inner, shape: tree.datasets.get(inner)?.shape?.join(', ') ?? 'empty'};
  });
  const list = listed(
    datasets.map(({inner, shape}) => `${inner} (${shape})`),
    '; ',
  );
  if (name !== undefined) {
    const chosen = tree.datasets.get(resolveName(path, tree, name));
    if (chosen !== undefined) return chosen;
    throw new DatasetFormatError(path, `has no dataset ${name}; expected one of: ${list}`);
  }
  const [only] = tree.datasets.values();
  if (datasets.length === 0) throw new DatasetFormatError(path, 'holds no dataset; expected one');
  if (datasets.length === 1) return only;
  throw new DatasetFormatError(path, `holds ${datasets.length} datasets; expected a name, one of: ${list}`);
}

/** What lies in a file, by its path without the leading slash. */
interface Tree {
  readonly datasets: ReadonlyMap<string, Dataset>;
  readonly softLinks: ReadonlyMap<string, string>;
  /** Path → name of the other file. */
  readonly externalLinks: ReadonlyMap<string, string>;
}

function readTree(library: Library, file: Hdf5File): Tree {
  const datasets = new Map<string, Dataset>();
  const softLinks = new Map<string, string>();
  const externalLinks = new Map<string, string>();
  // `paths` visits hard links only, but also names the other links; `get` would follow them.
  for (const inner of file.paths()) {
    const {filename} = library.get_external_link(file.file_id, inner);
    // The declared type lacks the null of a name that is not a soft link.
    const target: string | null = library.get_symbolic_link(file.file_id, inner);
    if (filename !== undefined) externalLinks.set(inner, filename);
    else if (target !== null) softLinks.set(inner, target);
    else {
      const entity = file.get(inner);
      if (entity instanceof Dataset) datasets.set(inner, entity);
    }
  }
  return {datasets, softLinks, externalLinks};
}

/** Replaces soft links in a name by their targets. */
function resolveName(path: string, {softLinks, externalLinks}: Tree, name: string): string {
  let parts = name.split('/').filter((part) => part !== '' && part !== '.');
  let links = 0;
  for (let end = 1; end <= parts.length; end++) {
    const prefix = parts.slice(0, end).join('/');
    const other = externalLinks.get(prefix);
    if (other !== undefined) {
      throw new DatasetFormatError(path, `dataset ${name} lies in another file, ${quoted(other)}; expected this file`);
    }
    const target = softLinks.get(prefix);
    if (target === undefined) continue;
    if (++links > LINKS_MAX) throw new DatasetFormatError(path, `dataset ${name} is a circle of links`);
    const folder = target.startsWith('/') ? [] : parts.slice(0, end - 1);
    const targetParts = target.split('/').filter((part) => part !== '' && part !== '.');
    parts = [...folder, ...targetParts, ...parts.slice(end)];
    end = 0;
  }
  return parts.join('/');
}
