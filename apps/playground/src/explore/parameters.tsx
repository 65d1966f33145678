import {METRICS} from '@epsball/clustering';
import type {JSX} from 'preact';
import {Choice} from '../choice.tsx';
import {kmPerUnit} from '../map/mercator.ts';
import {parseEps, parseMinPts} from '../state/link.ts';
import {link, setLink} from '../state/linkState.ts';
import {shownData} from '../state/session.ts';
import {KDistanceCurve} from './kDistanceCurve.tsx';
import {NumberSlider} from './numberSlider.tsx';

const STEPS = 400;

/** Positions of the slider of minPts: all integers at first, then some 5 % apart. */
const MIN_PTS = [...new Set(Array.from({length: 151}, (_, k) => Math.max(Math.min(k + 1, 20), Math.round(1.05 ** k))))];

export function Parameters(): JSX.Element {
  const {eps, minPts, metric} = link.value;
  const [low, high] = epsRange();
  return (
    <fieldset>
      <legend>Parameters</legend>
      <NumberSlider
        id="eps"
        label={metric === 'haversine' ? 'eps (km)' : 'eps'}
        value={eps}
        steps={STEPS}
        toStep={(value) => Math.round((STEPS * Math.log(value / low)) / Math.log(high / low))}
        fromStep={(step) => Number((low * (high / low) ** (step / STEPS)).toPrecision(3))}
        parse={parseEps}
        onChange={(value) => setLink({eps: value})}
      />
      <NumberSlider
        id="minPts"
        label="minPts"
        value={minPts}
        steps={MIN_PTS.length - 1}
        toStep={(value) => MIN_PTS.findIndex((choice, k) => choice >= value || k === MIN_PTS.length - 1)}
        fromStep={(step) => MIN_PTS[step]}
        parse={parseMinPts}
        onChange={(value) => setLink({minPts: value})}
        step="1"
        min="1"
      />
      <MetricChoice />
      <KDistanceCurve />
    </fieldset>
  );
}

/** All metrics; that of the earth for places only. */
function MetricChoice(): JSX.Element {
  const isMap = shownData.value?.isMap ?? false;
  return (
    <label>
      Metric
      <Choice
        value={link.value.metric}
        options={METRICS.map((metric) => [
          metric,
          metric === 'haversine' ? 'haversine (kilometres)' : metric,
          metric === 'haversine' && !isMap,
        ])}
        onChoose={(text) => setLink({metric: METRICS.find((metric) => metric === text) ?? 'euclidean'})}
      />
    </label>
  );
}

/** Smallest and largest eps of the slider: shares of the diagonal of the points. */
function epsRange(): readonly [number, number] {
  const {metric} = link.value;
  // Cosine distances are from 0 to 2.
  if (metric === 'cosine') return [1e-6, 2];
  const {box, origin} = shownData.value ?? {};
  const unit = metric === 'haversine' ? kmPerUnit(origin?.[1] ?? 0) : 1;
  const diagonal = box ? unit * Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1]) : 0;
  return diagonal > 0 ? [diagonal * 1e-5, diagonal * 0.3] : [1e-3, 10];
}
