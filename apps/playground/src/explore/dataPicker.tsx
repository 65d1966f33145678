import type {JSX} from 'preact';
import {Choice} from '../choice.tsx';
import {EXTENSIONS} from '../files/readPointsFile.ts';
import {formatCount} from '../format.ts';
import {link, setLink} from '../state/linkState.ts';
import {openColumns, data, openFile, shownData} from '../state/session.ts';
import {FILE_PREFIX, offeredSets, partsOf} from '../state/sets.ts';

const SIZES = [1500, 10_000, 100_000, 300_000, 1_000_000, 3_000_000];

export function DataPicker(): JSX.Element {
  const {data: spec} = link.value;
  const loaded = shownData.value;
  const isFile = spec.startsWith(FILE_PREFIX);
  const {id, n} = partsOf(spec);
  const sizes = [...new Set([...SIZES, n])].filter((size) => size > 0).sort((a, b) => a - b);
  return (
    <fieldset>
      <legend>Data</legend>
      <label>
        Data set
        <Choice
          value={isFile ? '' : id}
          options={[
            ...(isFile ? [['', spec.slice(FILE_PREFIX.length)] as const] : []),
            ...offeredSets.map((set) => [set.id, `${set.id}: ${set.title}`] as const),
          ]}
          onChoose={chooseSet}
        />
      </label>
      {!isFile && (
        <label>
          Points
          <Choice
            value={String(n)}
            options={sizes.map((size) => [String(size), formatCount(size)])}
            onChoose={(size) => setLink({data: `${id}:n=${size}`})}
          />
        </label>
      )}
      <label class="drop">
        <input
          type="file"
          accept={EXTENSIONS.join(',')}
          onChange={({currentTarget}) => {
            const file = currentTarget.files?.[0];
            if (file) void openFile(file);
            currentTarget.value = '';
          }}
        />
        <span>Open, drop or paste CSV, GeoJSON, NPY or Parquet</span>
      </label>
      <Columns />
      {loaded && loaded.dim > 2 && <p class="quiet small">{loaded.dim} dimensions. The picture shows the first two.</p>}
      {data.value.state === 'failed' && (
        <p class="error" role="alert">
          {data.value.message}
        </p>
      )}
    </fieldset>
  );
}

function Columns(): JSX.Element | null {
  const loaded = shownData.value;
  if (loaded === undefined || loaded.available.length < 2) return null;
  const {available, columns} = loaded;
  return (
    <details>
      <summary>Axes: {columns.join(', ')}</summary>
      <div class="checks">
        {available.map((name) => (
          <label key={name} class="check">
            <input
              type="checkbox"
              checked={columns.includes(name)}
              onChange={({currentTarget}) =>
                void openColumns(
                  available.filter((one) => (one === name ? currentTarget.checked : columns.includes(one))),
                )
              }
            />
            {name}
          </label>
        ))}
      </div>
    </details>
  );
}

function chooseSet(id: string): void {
  const set = offeredSets.find((one) => one.id === id);
  if (set)
    setLink({
      data: `${set.id}:n=${set.n}`,
      eps: Number(set.eps.toPrecision(3)),
      minPts: set.minPts,
      metric: 'euclidean',
    });
}
