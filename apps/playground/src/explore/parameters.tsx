import {METRICS} from '@epsball/clustering';
import type {JSX} from 'preact';
import {Choice} from '../choice.tsx';
import {kmPerUnit} from '../map/mercator.ts';
import {METHODS, parseClusterSize, parseEps, parseMinPts, SELECTIONS, type Method} from '../state/link.ts';
import {link, setLink} from '../state/linkState.ts';
import {shownData, shownRun} from '../state/session.ts';
import {KDistanceCurve} from './kDistanceCurve.tsx';
import {NumberSlider} from './numberSlider.tsx';

const TITLES: Readonly<Record<Method, string>> = {
  dbscan: 'DBSCAN: clusters by a radius',
  hdbscan: 'HDBSCAN*: clusters at all radii',
  'mean-shift': 'Mean shift: the modes of the density',
};

const STEPS = 400;

/** Positions of the sliders of counts: all integers at first, then some 5 % apart. */
const COUNTS = [...new Set(Array.from({length: 201}, (_, k) => Math.max(Math.min(k + 1, 20), Math.round(1.05 ** k))))];

/** The method and its parameters. */
export function Parameters(): JSX.Element {
  const {method} = link.value;
  return (
    <fieldset>
      <legend>Method</legend>
      <Choice
        label="Method"
        value={method}
        options={METHODS.map((one) => [one, TITLES[one]])}
        onChoose={chooseMethod}
      />
      {method === 'dbscan' && <DbscanParameters />}
      {method === 'hdbscan' && <HdbscanParameters />}
      {method === 'mean-shift' && <Bandwidth />}
    </fieldset>
  );
}

function DbscanParameters(): JSX.Element {
  const {eps, minPts, metric} = link.value;
  return (
    <>
      <LengthSlider
        id="eps"
        label={metric === 'haversine' ? 'eps (km)' : 'eps'}
        value={eps}
        onChange={(value) => setLink({eps: value})}
      />
      <CountSlider id="minPts" value={minPts} min={1} onChange={(value) => setLink({minPts: value})} />
      <MetricChoice />
      <KDistanceCurve />
    </>
  );
}

function HdbscanParameters(): JSX.Element {
  const {minClusterSize, minSamples, selection} = link.value;
  return (
    <>
      <CountSlider
        id="minClusterSize"
        value={minClusterSize}
        min={2}
        onChange={(value) => setLink({minClusterSize: value})}
      />
      <CountSlider id="minSamples" value={minSamples} min={1} onChange={(value) => setLink({minSamples: value})} />
      <label>
        Selection
        <Choice
          value={selection}
          options={[
            ['eom', 'eom: the largest excess of mass'],
            ['leaf', 'leaf: the leaves of the tree'],
          ]}
          onChoose={(text) => setLink({selection: SELECTIONS.find((one) => one === text) ?? 'eom'})}
        />
      </label>
      <MetricChoice />
      <p class="quiet small">
        The hierarchy does not depend on minClusterSize and on the selection: both are read from it at once.
      </p>
    </>
  );
}

function Bandwidth(): JSX.Element {
  const {bandwidth} = link.value;
  const shown = bandwidth || (shownRun.value?.bandwidth ?? 0);
  return (
    <>
      <LengthSlider id="bandwidth" label="bandwidth" value={shown} onChange={(value) => setLink({bandwidth: value})} />
      <p class="quiet small">
        The flat kernel, from bins of one bandwidth. Distances are those of the plane
        {shownData.value?.isMap ? ', in degrees' : ''}.{' '}
        {bandwidth === 0 ? (
          'The bandwidth is estimated: on average a tenth of the points is within it.'
        ) : (
          <button type="button" class="link" onClick={() => setLink({bandwidth: 0})}>
            Estimate it
          </button>
        )}
      </p>
    </>
  );
}

interface SliderProps {
  readonly id: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function LengthSlider(props: SliderProps & {readonly label: string}): JSX.Element {
  const [low, high] = lengthRange();
  return (
    <NumberSlider
      {...props}
      steps={STEPS}
      toStep={(value) => Math.round((STEPS * Math.log(value / low)) / Math.log(high / low))}
      fromStep={(step) => Number((low * (high / low) ** (step / STEPS)).toPrecision(3))}
      parse={parseEps}
    />
  );
}

function CountSlider(props: SliderProps & {readonly min: 1 | 2}): JSX.Element {
  const {id, min} = props;
  const choices = COUNTS.slice(min - 1);
  return (
    <NumberSlider
      {...props}
      label={id}
      steps={choices.length - 1}
      toStep={(value) => choices.findIndex((choice, k) => choice >= value || k === choices.length - 1)}
      fromStep={(step) => choices[step]}
      parse={min === 1 ? parseMinPts : parseClusterSize}
      step="1"
      min={String(min)}
    />
  );
}

/** All metrics of the method; that of the earth for places only. */
function MetricChoice(): JSX.Element {
  const isMap = shownData.value?.isMap ?? false;
  const {method} = link.value;
  return (
    <label>
      Metric
      <Choice
        value={link.value.metric}
        options={METRICS.map((metric) => [
          metric,
          metric === 'haversine' ? 'haversine (kilometres)' : metric,
          metric === 'haversine' ? !isMap : method === 'hdbscan' && isFlat(metric),
        ])}
        onChoose={(text) => setLink({metric: METRICS.find((metric) => metric === text) ?? 'euclidean'})}
      />
    </label>
  );
}

/** Metrics that HDBSCAN* does not take. */
function isFlat(metric: string): boolean {
  return metric === 'manhattan' || metric === 'chebyshev';
}

function chooseMethod(text: string): void {
  const method = METHODS.find((one) => one === text) ?? 'dbscan';
  const {metric} = link.value;
  setLink({method, metric: method === 'hdbscan' && isFlat(metric) ? 'euclidean' : metric});
}

/** Smallest and largest length of a slider: shares of the diagonal of the points. */
function lengthRange(): readonly [number, number] {
  const {metric, method} = link.value;
  // Cosine distances are from 0 to 2.
  if (method === 'dbscan' && metric === 'cosine') return [1e-6, 2];
  const {box, origin} = shownData.value ?? {};
  const unit = method === 'dbscan' && metric === 'haversine' ? kmPerUnit(origin?.[1] ?? 0) : 1;
  const diagonal = box ? unit * Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1]) : 0;
  return diagonal > 0 ? [diagonal * 1e-5, diagonal * 0.3] : [1e-3, 10];
}
