import {signal} from '@preact/signals';
import type {JSX} from 'preact';
import {useEffect} from 'preact/hooks';
import {data, openFile, shownData, shownRun} from '../state/session.ts';
import {Out} from '../out/out.tsx';
import {Clusters} from './clusters.tsx';
import {DataPicker} from './dataPicker.tsx';
import {Parameters} from './parameters.tsx';
import {PointView} from './pointView.tsx';
import {RunStatus} from './runStatus.tsx';
import {TreeView} from './treeView.tsx';
import {VariantPicker} from './variantPicker.tsx';

const isDraggedOver = signal(false);

/** Reads a pasted file, or pasted text as GeoJSON or CSV. Text for a field of the page stays there. */
function paste(event: ClipboardEvent): void {
  if (event.target instanceof HTMLInputElement) return;
  const text = event.clipboardData?.getData('text') ?? '';
  const file = event.clipboardData?.files[0];
  if (file) void openFile(file);
  else if (text.trim() !== '') {
    void openFile(new File([text], text.trimStart().startsWith('{') ? 'pasted.geojson' : 'pasted.csv'));
  }
}

export function Explore(): JSX.Element {
  useEffect(() => {
    addEventListener('paste', paste);
    return () => removeEventListener('paste', paste);
  }, []);
  return (
    <div
      class={isDraggedOver.value ? 'explore dragged' : 'explore'}
      onDragOver={(event) => {
        event.preventDefault();
        isDraggedOver.value = true;
      }}
      onDragLeave={() => (isDraggedOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isDraggedOver.value = false;
        const file = event.dataTransfer?.files[0];
        if (file) void openFile(file);
      }}
    >
      <section class="controls" aria-label="Data and parameters">
        <DataPicker />
        <Parameters />
        <VariantPicker />
        <Out />
      </section>
      <section class="picture" aria-label="Clusters">
        <RunStatus />
        {shownData.value === undefined && data.value.state === 'running' ? <p class="quiet">Loading points…</p> : null}
        <div class="views">
          <PointView />
          <TreeView />
        </div>
        {shownRun.value && <Clusters outcome={shownRun.value} />}
      </section>
    </div>
  );
}
