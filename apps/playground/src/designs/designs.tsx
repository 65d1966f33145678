import type {JSX} from 'preact';
import {Choice} from '../choice.tsx';
import {formatNumber} from '../format.ts';
import {setLink} from '../state/linkState.ts';
import {designs} from '../steps/animations.ts';
import {smallSets} from '../steps/pointSets.ts';
import {Controls} from './controls.tsx';
import {PanelView} from './panels.tsx';
import {design, frame, isPlaying, showStep, smallSet, stageParams, step, togglePlaying} from './playback.ts';
import {Stage} from './stage.tsx';

export function Designs(): JSX.Element {
  const {title, source, idea} = design.value;
  return (
    <div class="designs" onKeyDown={handleKey}>
      <nav class="controls" aria-label="Designs">
        <Choice
          class="narrow"
          label="Design"
          value={design.value.id}
          options={designs.map(({id, title: name}) => [id, name])}
          onChoose={(id) => choose({design: id})}
        />
        <ul class="wide">
          {designs.map(({id, title: name}) => (
            <li key={id}>
              <button
                type="button"
                aria-current={design.value.id === id ? 'true' : undefined}
                onClick={() => choose({design: id})}
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
        <Choices />
      </nav>
      <section class="theatre" aria-label={title}>
        <p class="step-text" aria-live="polite">
          {frame.value.text}
        </p>
        <Stage frame={frame.value} />
        <Controls />
      </section>
      <aside class="notes" tabIndex={0}>
        <h2>{title}</h2>
        <p>{idea}</p>
        <p class="quiet small">{source}</p>
        <Legend />
        {frame.value.panels.map((panel) => (
          <PanelView key={panel.title} panel={panel} />
        ))}
      </aside>
    </div>
  );
}

function Choices(): JSX.Element {
  const {eps, minPts} = stageParams.value;
  const {isMeanShift} = design.value;
  const base = isMeanShift ? smallSet.value.bandwidth : smallSet.value.eps;
  return (
    <fieldset>
      <legend>Points</legend>
      <Choice
        label="Points"
        value={smallSet.value.id}
        options={smallSets.map(({id, title}) => [id, title])}
        onChoose={(set) => choose({set})}
      />
      <div class="slider">
        <label for="stage-eps">{isMeanShift ? 'bandwidth' : 'eps'}</label>
        <input
          id="stage-eps"
          type="range"
          min={base * 0.4}
          max={base * 2}
          step={base / 50}
          value={eps}
          onInput={({currentTarget}) =>
            setLink({stageEps: Number(currentTarget.valueAsNumber.toPrecision(3)), step: 0})
          }
        />
        <output>{formatNumber(eps)}</output>
      </div>
      {!isMeanShift && (
        <div class="slider">
          <label for="stage-minPts">minPts</label>
          <input
            id="stage-minPts"
            type="range"
            min="1"
            max="15"
            value={minPts}
            onInput={({currentTarget}) => setLink({stageMinPts: currentTarget.valueAsNumber, step: 0})}
          />
          <output>{minPts}</output>
        </div>
      )}
    </fieldset>
  );
}

function Legend(): JSX.Element {
  return (
    <ul class="legend small">
      {design.value.legend.map(([mark, meaning]) => (
        <li key={meaning}>
          <svg viewBox="0 0 24 16" aria-hidden="true">
            {mark === 'focus' && <circle class="focus" cx="12" cy="8" r="6" />}
            {mark === 'core' && <circle class="core" cx="12" cy="8" r="4.4" />}
            {mark === 'ball' && <circle class="ball" cx="12" cy="8" r="7" />}
            {mark === 'solid' && <line class="claim" x1="2" y1="8" x2="22" y2="8" />}
            {mark === 'dashed' && <line class="cross" x1="2" y1="8" x2="22" y2="8" />}
            {mark === 'cell' && <rect class="cell" x="4" y="1" width="14" height="14" />}
          </svg>
          {meaning}
        </li>
      ))}
    </ul>
  );
}

function choose(changes: {readonly design?: string; readonly set?: string}): void {
  isPlaying.value = false;
  setLink({...changes, stageEps: 0, stageMinPts: 0, step: 0});
}

/** Keys beside those of the focused control: space plays, arrows step. */
function handleKey(event: KeyboardEvent): void {
  if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
  if (event.key === 'ArrowRight') showStep(step.value + 1);
  else if (event.key === 'ArrowLeft') showStep(step.value - 1);
  else if (event.key === ' ' && !(event.target instanceof HTMLButtonElement)) togglePlaying();
  else return;
  event.preventDefault();
}
