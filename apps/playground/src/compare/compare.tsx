import type {JSX} from 'preact';
import {DBSCAN_PHASES} from '@epsball/clustering';
import {setColourText} from '../draw/palette.ts';
import {DataPicker} from '../explore/dataPicker.tsx';
import {formatCount, formatMs, formatNumber} from '../format.ts';
import {link} from '../state/linkState.ts';
import {data, environment, shownData} from '../state/session.ts';
import {theme} from '../state/theme.ts';
import {changeRun, compareAll, comparedRuns, isComparing, stopComparing, type ComparedRun} from './comparison.ts';
import {whyUnavailable} from './unavailable.ts';

/** Phases whose names do not say it. */
const MEANING: Readonly<Record<string, string>> = {core: 'core test', readBack: 'read back'};

const BACKENDS = {sequential: 'one thread', workers: 'threads', gpu: 'GPU'} as const;

export function Compare(): JSX.Element {
  const loaded = shownData.value;
  const {eps, minPts} = link.value;
  const longest = Math.max(1, ...comparedRuns.value.map(wallMsOf));
  return (
    <div class="compare">
      <section class="controls" aria-label="Data">
        <DataPicker />
        <p class="quiet small">
          eps = {formatNumber(eps)} and minPts = {minPts}, as in the view Explore. Variants run one after another. A
          first run also compiles kernels and starts threads. A second run is timed if the first was shorter than three
          seconds. Times are those of this browser on this machine, transfers included.
        </p>
        {isComparing.value ? (
          <button type="button" class="strong" onClick={stopComparing}>
            Stop
          </button>
        ) : (
          <button type="button" class="strong" disabled={data.value.state !== 'done'} onClick={() => void compareAll()}>
            Run {loaded ? `on ${formatCount(loaded.n)} points` : ''}
          </button>
        )}
      </section>
      <section class="runs" aria-label="Variants side by side">
        <p class="phases small">
          {DBSCAN_PHASES.map((phase, k) => (
            <span key={phase}>
              <span class="dot" style={{background: phaseColour(k)}} /> {MEANING[phase] ?? phase}
            </span>
          ))}
        </p>
        <ul>
          {comparedRuns.value.map((run, index) => (
            <Run key={`${run.algorithm}/${run.backend}`} run={run} index={index} longest={longest} />
          ))}
        </ul>
      </section>
    </div>
  );
}

function Run({run, index, longest}: {run: ComparedRun; index: number; longest: number}): JSX.Element {
  const {algorithm, backend, title, isChosen} = run;
  const missing = whyUnavailable(environment.value, algorithm, backend);
  return (
    <li class="run" data-run={`${algorithm}/${backend}`} data-state={run.result.state}>
      <label class="check" title={title}>
        <input
          type="checkbox"
          checked={isChosen && missing === undefined}
          disabled={missing !== undefined}
          onChange={({currentTarget}) => changeRun(index, {isChosen: currentTarget.checked})}
        />
        <strong>{algorithm}</strong> <span class="quiet">{BACKENDS[backend]}</span>
      </label>
      <div class="bar-of-run">
        {missing === undefined ? (
          <Bar run={run} longest={longest} />
        ) : (
          <span class="quiet small missing">{missing}</span>
        )}
      </div>
    </li>
  );
}

function Bar({run: {result}, longest}: {run: ComparedRun; longest: number}): JSX.Element {
  if (result.state === 'failed') return <span class="error small">{result.message}</span>;
  if (result.state !== 'done') return <span class="quiet small">{result.state === 'running' ? 'running…' : '—'}</span>;
  const {outcome, isWarm, isSame} = result;
  const {clusterCount, stats} = outcome;
  const {wallMs, deviceMs} = stats;
  const phases = Object.entries(stats.phaseMs);
  const named = phases.map(([phase, ms = 0]) => `${MEANING[phase] ?? phase} ${formatMs(ms)}`).join(', ');
  return (
    <>
      <span class="stack" role="img" aria-label={named} title={named} style={{width: `${(100 * wallMs) / longest}%`}}>
        {phases.map(([phase, ms = 0]) => (
          <span
            key={phase}
            style={{flexGrow: ms, background: phaseColour(DBSCAN_PHASES.findIndex((one) => one === phase))}}
          />
        ))}
      </span>
      <span class="small">
        <strong>{formatMs(wallMs)}</strong>
        {deviceMs === undefined ? '' : `, device ${formatMs(deviceMs)}`}
        {isWarm ? '' : ', first run'} · {formatCount(clusterCount)} clusters ·{' '}
        {isSame ? <span class="good">same labels</span> : <span class="error">labels differ</span>}
      </span>
    </>
  );
}

function wallMsOf({result}: ComparedRun): number {
  return result.state === 'done' ? result.outcome.stats.wallMs : 0;
}

function phaseColour(k: number): string {
  return setColourText(Math.max(0, k), theme.value);
}
