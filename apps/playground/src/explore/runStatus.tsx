import type {JSX} from 'preact';
import type {RunOutcome} from '../compute/api.ts';
import {formatCount, formatMs, formatShare} from '../format.ts';
import {progress, run, shownRun, stopRun} from '../state/session.ts';

/** What has run and what it found, in one line. */
export function RunStatus(): JSX.Element {
  const work = run.value;
  const outcome = shownRun.value;
  return (
    <div class="status" role="status" aria-live="polite" data-state={work.state}>
      {work.state === 'failed' && <span class="error">{work.message}</span>}
      {work.state !== 'failed' && outcome && <Found outcome={outcome} />}
      {work.state === 'failed' && outcome && <span class="quiet">The picture shows the run before.</span>}
      {work.state === 'running' && <Running />}
    </div>
  );
}

/** How far the run is, and how to end it. */
function Running(): JSX.Element {
  const {phase, done, total} = progress.value ?? {phase: '', done: 0, total: 0};
  return (
    <span class="running">
      {total > 0 ? (
        <progress value={done} max={total} aria-label="Progress of the phase" />
      ) : (
        <span class="spinner" aria-hidden="true" />
      )}{' '}
      running{phase === '' ? '' : `: ${phase}`}…{' '}
      <button type="button" class="link" onClick={stopRun}>
        stop
      </button>
    </span>
  );
}

function Found({outcome}: {readonly outcome: RunOutcome}): JSX.Element {
  const {labels, clusterCount, noiseCount, coreCount, backend, fallback = [], stats, adapter} = outcome;
  const {warnings = [], isReselected = false} = outcome;
  const n = labels.length;
  return (
    <span>
      <strong>{formatCount(clusterCount)}</strong> {clusterCount === 1 ? 'cluster' : 'clusters'} ·{' '}
      {formatShare(noiseCount, n)} noise · {coreCount === undefined ? '' : `${formatShare(coreCount, n)} core · `}
      {formatCount(n)} points · <strong>{formatMs(stats.wallMs)}</strong>{' '}
      {isReselected
        ? 'by selecting from the hierarchy'
        : `by ${nameOf(outcome)} on ${deviceOf(backend, adapter?.description || adapter?.device)}`}
      {warnings.map((warning) => (
        <span key={warning} class="quiet small">
          {' '}
          · {warning}
        </span>
      ))}
      {fallback.map(({backend: failed, reason}) => (
        <span key={failed} class="quiet small">
          {' '}
          · {failed} cannot run here: {reason}
        </span>
      ))}
    </span>
  );
}

/** The method, and the variant of DBSCAN. */
function nameOf({coreCount, tree, algorithm}: RunOutcome): string {
  if (tree !== undefined) return 'HDBSCAN*';
  return coreCount === undefined ? 'mean shift' : algorithm;
}

/** The backend as a reader knows it. */
function deviceOf(backend: RunOutcome['backend'], device: string | undefined): string {
  if (backend === 'gpu') return `the GPU${device ? ` (${device})` : ''}`;
  return backend === 'workers' ? 'worker threads' : 'one thread';
}
