import {signal} from '@preact/signals';
import type {JSX} from 'preact';
import {data, openFile, shownData, shownRun} from '../state/session.ts';
import {Clusters} from './clusters.tsx';
import {DataPicker} from './dataPicker.tsx';
import {Parameters} from './parameters.tsx';
import {PointView} from './pointView.tsx';
import {RunStatus} from './runStatus.tsx';
import {VariantPicker} from './variantPicker.tsx';

const isDraggedOver = signal(false);

export function Explore(): JSX.Element {
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
      </section>
      <section class="picture" aria-label="Clusters">
        <RunStatus />
        {shownData.value === undefined && data.value.state === 'running' ? <p class="quiet">Loading points…</p> : null}
        <PointView />
        {shownRun.value && <Clusters outcome={shownRun.value} />}
      </section>
    </div>
  );
}
