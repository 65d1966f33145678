import type {JSX} from 'preact';
import type {RunOutcome} from '../compute/api.ts';
import {formatCount, formatMs, formatShare} from '../format.ts';
import {run, shownRun, stopRun} from '../state/session.ts';

/** What has run and what it found, in one line. */
export function RunStatus(): JSX.Element {
  const work = run.value;
  const outcome = shownRun.value;
  return (
    <div class="status" role="status" aria-live="polite" data-state={work.state}>
      {work.state === 'failed' && <span class="error">{work.message}</span>}
      {work.state !== 'failed' && outcome && <Found outcome={outcome} />}
      {work.state === 'failed' && outcome && <span class="quiet">The picture shows the run before.</span>}
      {work.state === 'running' && (
        <span class="running">
          <span class="spinner" aria-hidden="true" /> running…{' '}
          <button type="button" class="link" onClick={stopRun}>
            stop
          </button>
        </span>
      )}
    </div>
  );
}

function Found({outcome}: {readonly outcome: RunOutcome}): JSX.Element {
  const {labels, clusterCount, noiseCount, coreCount, algorithm, backend, fallback = [], stats, adapter} = outcome;
  const n = labels.length;
  return (
    <span>
      <strong>{formatCount(clusterCount)}</strong> {clusterCount === 1 ? 'cluster' : 'clusters'} ·{' '}
      {formatShare(noiseCount, n)} noise · {formatShare(coreCount, n)} core · {formatCount(n)} points ·{' '}
      <strong>{formatMs(stats.wallMs)}</strong> by {algorithm} on{' '}
      {nameOf(backend, adapter?.description || adapter?.device)}
      {fallback.map(({backend: failed, reason}) => (
        <span key={failed} class="quiet small">
          {' '}
          · {failed} cannot run here: {reason}
        </span>
      ))}
    </span>
  );
}

/** The backend as a reader knows it. */
function nameOf(backend: RunOutcome['backend'], device: string | undefined): string {
  if (backend === 'gpu') return `the GPU${device ? ` (${device})` : ''}`;
  return backend === 'workers' ? 'worker threads' : 'one thread';
}
