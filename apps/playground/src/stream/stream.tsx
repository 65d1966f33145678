import {computed, effect, signal} from '@preact/signals';
import type {ClusterChange} from '@epsball/dbscan-dynamic';
import type {JSX} from 'preact';
import {useEffect, useMemo, useRef} from 'preact/hooks';
import {Choice} from '../choice.tsx';
import {PlayButton} from '../designs/controls.tsx';
import {colourOf} from '../designs/stage.tsx';
import {mapOf} from '../draw/camera.ts';
import {PointRaster} from '../draw/drawPoints.ts';
import {paletteOf} from '../draw/palette.ts';
import {NO_LABEL, type Picture} from '../draw/picture.ts';
import {formatCount} from '../format.ts';
import {link} from '../state/linkState.ts';
import {theme} from '../state/theme.ts';
import {CarStream, MIN_PTS, STEP_S} from './carStream.ts';

/** Pixels of the picture, and steps a second. */
const SIZE = 900;
const SPEED = 8;
/** The town, in metres. */
const PICTURE: Picture = {
  ...mapOf({min: [0, 0], max: [12_000, 12_000]}, {k: 1, x: 0, y: 0}, SIZE, SIZE, 1),
  width: SIZE,
  height: SIZE,
  radius: 4,
  opacity: 0.9,
  step: 1,
  selected: NO_LABEL,
};
/** Lines of merges and splits. One step shows at most half as many of each kind. */
const EVENTS_MAX = 14;

const cars = signal(5000);
const eps = signal(100);
const isPlaying = signal(false);
/** Merges and splits, those of the last step first. */
const events = signal<readonly Shown[]>([]);

const stream = computed(() => new CarStream(cars.value, eps.peek()));
/** Goes up when the stream has changed. */
const changeCount = signal(0);
const frame = computed(() => {
  void changeCount.value;
  return stream.value.frame();
});

export function Stream(): JSX.Element {
  return (
    <div class="designs">
      <Choices />
      <section class="theatre" aria-label="Cars">
        <Town />
        <Controls />
      </section>
      <aside class="notes" tabIndex={0}>
        <h2>Clusters that live on</h2>
        <p>
          Every {STEP_S} seconds all cars of a town move at once. Their clusters are those of a run of DBSCAN from
          nothing, and a cluster keeps its id, and so its colour, as long as the largest part of its core points stays
          together. Colours repeat.
        </p>
        <h3>Merges and splits</h3>
        <ul class="lists small">
          {events.value.map((change, k) => (
            <li key={k}>
              <span class="dot" style={{background: colourOf(change.id, theme.value)}} />
              {told(change)}
            </li>
          ))}
        </ul>
      </aside>
    </div>
  );
}

function Choices(): JSX.Element {
  return (
    <div class="controls">
      <fieldset>
        <legend>Cars</legend>
        <Choice
          label="Cars"
          value={String(cars.value)}
          options={[1000, 2000, 5000].map((count) => [String(count), `${formatCount(count)} cars`])}
          onChoose={(count) => {
            isPlaying.value = false;
            cars.value = Number(count);
            events.value = [];
          }}
        />
        <div class="slider">
          <label for="car-eps">eps</label>
          <input
            id="car-eps"
            type="range"
            min="40"
            max="400"
            step="20"
            value={eps.value}
            aria-valuetext={`${eps.value} metres`}
            onInput={({currentTarget}) => {
              eps.value = currentTarget.valueAsNumber;
              stream.value.setEps(eps.value);
              events.value = [];
              changeCount.value++;
            }}
          />
          <output>{eps.value} m</output>
        </div>
        <p class="quiet small">minPts {MIN_PTS}, haversine</p>
      </fieldset>
    </div>
  );
}

function Town(): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const raster = useMemo(() => new PointRaster(), []);
  const {coords, labels, clusters, seconds} = frame.value;
  const shade = theme.value;
  useEffect(() => {
    const context = canvas.current?.getContext('2d');
    raster.begin({coords, labels}, paletteOf(shade), PICTURE);
    raster.add(labels.length);
    context?.putImageData(new ImageData(raster.finish(), SIZE, SIZE), 0, 0);
  }, [raster, coords, labels, shade]);
  const words = `${formatCount(labels.length)} cars in ${formatCount(clusters)} clusters after ${seconds} seconds`;
  return (
    <>
      <p class="quiet small">{words}</p>
      <canvas ref={canvas} class="town" width={SIZE} height={SIZE} role="img" aria-label={words} />
    </>
  );
}

function Controls(): JSX.Element {
  return (
    <div class="playback">
      <PlayButton isOn={isPlaying.value} onToggle={() => (isPlaying.value = !isPlaying.value)} />
      <button type="button" onClick={goOn} disabled={isPlaying.value} aria-label="Step forward">
        ›
      </button>
    </div>
  );
}

function goOn(): void {
  stream.value.step();
  changeCount.value++;
  const news = frame.value.changes.filter(isShown);
  const ofKind = (one: Shown['kind']): Shown[] => news.filter(({kind}) => kind === one).slice(0, EVENTS_MAX / 2);
  events.value = [...ofKind('merged'), ...ofKind('split'), ...events.value].slice(0, EVENTS_MAX);
}

type Shown = Extract<ClusterChange, {kind: 'merged' | 'split'}>;

function isShown(change: ClusterChange): change is Shown {
  return change.kind === 'merged' || change.kind === 'split';
}

function told(change: Shown): string {
  if (change.kind === 'merged') return `Cluster ${change.id} has merged into ${change.into}`;
  return `Cluster ${change.id} has split from ${change.from}`;
}

effect(() => {
  if (!isPlaying.value) return undefined;
  const timer = setInterval(() => {
    if (link.value.view === 'stream') goOn();
    else isPlaying.value = false;
  }, 1000 / SPEED);
  return () => clearInterval(timer);
});
