import {Dataset, ExternalLink, type File as Hdf5File, type ready} from 'h5wasm/node';
import {DatasetFormatError, listed, quoted} from './errors.ts';

export type Library = Awaited<typeof ready>;

/**
 * Finds a dataset in an open file, also behind soft links.
 *
 * @param name  path inside the file; may be omitted where the file holds one dataset
 */
export function findDataset(path: string, library: Library, file: Hdf5File, name: string | undefined): Dataset {
  const chosen = name === undefined ? null : file.get(name);
  if (chosen instanceof Dataset) return chosen;
  if (chosen instanceof ExternalLink) {
    const other = quoted(chosen.filename);
    throw new DatasetFormatError(path, `dataset ${name} lies in another file, ${other}; expected this file`);
  }
  const datasets = datasetsIn(library, file);
  if (name === undefined && datasets.length === 1) return datasets[0].dataset;
  if (name === undefined && datasets.length === 0) {
    throw new DatasetFormatError(path, 'holds no dataset; expected one');
  }
  const shapes = datasets.map(({inner, dataset}) => `${inner} (${dataset.shape?.join(', ') ?? 'empty'})`);
  const what =
    name === undefined ? `holds ${datasets.length} datasets; expected a name,` : `has no dataset ${name}; expected`;
  throw new DatasetFormatError(path, `${what} one of: ${listed(shapes, '; ')}`);
}

/** The datasets of a file by their paths, without links. */
function datasetsIn(library: Library, file: Hdf5File): {readonly inner: string; readonly dataset: Dataset}[] {
  // `paths` visits hard links only, but also names the other links; `get` would follow them.
  return file.paths().flatMap((inner) => {
    // The declared type lacks the null of a name that is not a soft link.
    const target: string | null = library.get_symbolic_link(file.file_id, inner);
    if (target !== null || library.get_external_link(file.file_id, inner).filename !== undefined) return [];
    const dataset = file.get(inner);
    return dataset instanceof Dataset ? [{inner, dataset}] : [];
  });
}
