import {signal} from '@preact/signals';
import type {JSX} from 'preact';
import {compute} from '../compute/client.ts';
import {view} from '../explore/pointView.tsx';
import {link} from '../state/linkState.ts';
import {shownData, shownRun} from '../state/session.ts';
import {messageOf} from '../format.ts';
import {nodeProgram, shellCommand} from './code.ts';
import type {TableFormat} from './labelTable.ts';

/** What could not be written. */
const failure = signal('');

/** The result for elsewhere: labels, the picture, the program and the command. */
export function Out(): JSX.Element | null {
  const outcome = shownRun.value;
  const data = shownData.value;
  if (outcome === undefined || data === undefined) return null;
  const asked = {link: link.value, data, bandwidth: link.value.bandwidth || (outcome.bandwidth ?? 0)};
  const command = shellCommand(asked);
  return (
    <fieldset class="out">
      <legend>Export</legend>
      <div class="buttons">
        <Save name="labels.csv" write={() => table('csv')} />
        {data.isMap && <Save name="labels.geojson" write={() => table('geojson')} />}
        <Save name="clusters.svg" write={async () => view.value?.svg(titleOf())} />
        <Save name="clusters.png" write={async () => view.value?.png()} />
      </div>
      <Code title="The same in Node" text={nodeProgram(asked)} />
      {command && <Code title="The same as a command" text={command} />}
      {failure.value && (
        <p class="error small" role="alert">
          {failure.value}
        </p>
      )}
    </fieldset>
  );
}

async function table(format: TableFormat): Promise<Blob | undefined> {
  const labels = shownRun.value?.labels;
  return labels && compute.table(labels, format);
}

function titleOf(): string {
  const {data, method, eps, minPts, minClusterSize, minSamples} = link.value;
  const {clusterCount = 0, bandwidth = 0} = shownRun.value ?? {};
  const parameters = {
    dbscan: `DBSCAN, eps ${eps}, minPts ${minPts}`,
    hdbscan: `HDBSCAN*, minClusterSize ${minClusterSize}, minSamples ${minSamples}`,
    'mean-shift': `mean shift, bandwidth ${bandwidth}`,
  };
  return `${data}: ${clusterCount} ${clusterCount === 1 ? 'cluster' : 'clusters'}, ${parameters[method]}`;
}

function Save({name, write}: {readonly name: string; readonly write: () => Promise<Blob | undefined>}): JSX.Element {
  return (
    <button type="button" onClick={() => void save(name, write)}>
      {name}
    </button>
  );
}

async function save(name: string, write: () => Promise<Blob | undefined>): Promise<void> {
  try {
    failure.value = '';
    const blob = await write();
    if (blob === undefined) return;
    const address = URL.createObjectURL(blob);
    const anchor = document.createElement('a');
    anchor.href = address;
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  } catch (error) {
    failure.value = `${name} could not be written: ${messageOf(error)}`;
  }
}

function Code({title, text}: {readonly title: string; readonly text: string}): JSX.Element {
  return (
    <details>
      <summary>{title}</summary>
      <pre class="small" tabIndex={0} aria-label={title}>
        {text}
      </pre>
      <button type="button" class="link small" onClick={() => void navigator.clipboard.writeText(text)}>
        Copy
      </button>
    </details>
  );
}
