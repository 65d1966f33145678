import type {JSX} from 'preact';
import {formatNumber} from '../format.ts';
import {parseEps, parseMinPts} from '../state/link.ts';
import {link, setLink} from '../state/linkState.ts';
import {shownData} from '../state/session.ts';
import {KDistanceCurve} from './kDistanceCurve.tsx';

const STEPS = 400;

/** Positions of the slider of minPts: all integers at first, then some 5 % apart. */
const MIN_PTS = [...new Set(Array.from({length: 151}, (_, k) => Math.max(Math.min(k + 1, 20), Math.round(1.05 ** k))))];

export function Parameters(): JSX.Element {
  const {eps, minPts} = link.value;
  const [low, high] = epsRange();
  return (
    <fieldset>
      <legend>Parameters</legend>
      <div class="slider">
        <label for="eps">eps</label>
        <input
          id="eps"
          type="range"
          min="0"
          max={STEPS}
          value={toStep(eps, low, high)}
          aria-valuetext={formatNumber(eps)}
          onInput={({currentTarget}) => setLink({eps: fromStep(currentTarget.valueAsNumber, low, high)})}
        />
        <input
          type="number"
          aria-label="eps, as a number"
          step="any"
          min="0"
          value={eps}
          onChange={({currentTarget}) => {
            const parsed = parseEps(currentTarget.value);
            if (parsed === undefined) currentTarget.value = String(eps);
            else setLink({eps: parsed});
          }}
        />
      </div>
      <div class="slider">
        <label for="minPts">minPts</label>
        <input
          id="minPts"
          type="range"
          min="0"
          max={MIN_PTS.length - 1}
          value={MIN_PTS.findIndex((choice, k) => choice >= minPts || k === MIN_PTS.length - 1)}
          aria-valuetext={String(minPts)}
          onInput={({currentTarget}) => setLink({minPts: MIN_PTS[currentTarget.valueAsNumber]})}
        />
        <input
          type="number"
          aria-label="minPts, as a number"
          step="1"
          min="1"
          value={minPts}
          onChange={({currentTarget}) => {
            const parsed = parseMinPts(currentTarget.value);
            if (parsed === undefined) currentTarget.value = String(minPts);
            else setLink({minPts: parsed});
          }}
        />
      </div>
      <KDistanceCurve />
    </fieldset>
  );
}

/** Smallest and largest eps of the slider: shares of the diagonal of the points. */
function epsRange(): readonly [number, number] {
  const box = shownData.value?.box;
  const diagonal = box ? Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1]) : 0;
  return diagonal > 0 ? [diagonal * 1e-5, diagonal * 0.3] : [1e-3, 10];
}

function toStep(value: number, low: number, high: number): number {
  return Math.round((STEPS * Math.log(value / low)) / Math.log(high / low));
}

/** The value at a step of the slider, rounded to three digits. */
function fromStep(step: number, low: number, high: number): number {
  return Number((low * (high / low) ** (step / STEPS)).toPrecision(3));
}
