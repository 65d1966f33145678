import {effect, signal} from '@preact/signals';
import type {JSX} from 'preact';
import {useEffect, useRef} from 'preact/hooks';
import {NO_LABEL} from '../draw/picture.ts';
import {ViewController, type Drawn} from '../draw/viewController.ts';
import {projectOutlines} from '../map/outlines.ts';
import {kmPerUnit, latitudeAt} from '../map/mercator.ts';
import {ScaleBar} from '../map/scaleBar.tsx';
import {formatMs, formatNumber} from '../format.ts';
import type {LoadedData} from '../compute/api.ts';
import {link} from '../state/linkState.ts';
import {shownData, shownRun} from '../state/session.ts';
import {theme} from '../state/theme.ts';
import {Numbers} from './numbers.tsx';
import {drawnLabels, selectCluster, selectedCluster} from './clusters.tsx';

/** The controller of the canvas, while there is one. */
export const view = signal<ViewController | undefined>(undefined);
const drawn = signal<Drawn>({ms: 0, scale: 1, shift: [0, 0]});
/** Pointer over the canvas, in style pixels, and the point below. */
const pointer = signal<{readonly x: number; readonly y: number; readonly point: number} | undefined>(undefined);

export function PointView(): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    return connect(canvas.current);
  }, []);
  return (
    <div class="view">
      <canvas
        ref={canvas}
        tabIndex={0}
        role="img"
        aria-label="Points in the colours of their clusters. Arrow keys move, plus and minus zoom, 0 fits all points."
        onKeyDown={(event) => view.value && handleKey(event, view.value)}
        onPointerMove={({offsetX: x, offsetY: y, buttons}) => {
          if (buttons === 0) pointer.value = {x, y, point: view.value?.nearest(x, y) ?? -1};
        }}
        onPointerLeave={() => (pointer.value = undefined)}
        onClick={({offsetX, offsetY}) => {
          const point = view.value?.nearest(offsetX, offsetY) ?? -1;
          const label = shownRun.value?.labels[point];
          selectCluster(label ?? NO_LABEL);
        }}
      />
      <Numbers drawn={drawn.value} />
      <Overlay />
      <div class="zoom">
        <button type="button" aria-label="Zoom in" onClick={() => view.value?.zoomBy(1.6)}>
          +
        </button>
        <button type="button" aria-label="Zoom out" onClick={() => view.value?.zoomBy(1 / 1.6)}>
          −
        </button>
        <button type="button" aria-label="Fit all points" onClick={() => view.value?.reset()}>
          ⤢
        </button>
      </div>
      <MapScale />
      {shownData.value && <p class="drawn quiet small">{formatMs(drawn.value.ms)} a picture</p>}
    </div>
  );
}

/** The eps-ball around the pointer, and the point below it. */
function Overlay(): JSX.Element | null {
  const at = pointer.value;
  const loaded = shownData.value;
  if (at === undefined || loaded === undefined) return null;
  const {point} = at;
  const radius = ballRadius(loaded, at.y);
  const label = shownRun.value?.labels[point];
  return (
    <>
      <svg class="overlay" aria-hidden="true">
        {radius > 2 && radius < 4000 && <circle cx={at.x} cy={at.y} r={radius} />}
      </svg>
      {point >= 0 && (
        <p class="tip small" style={{left: `${at.x}px`, top: `${at.y}px`}}>
          {label === undefined ? 'no label yet' : label < 0 ? 'noise' : `cluster ${label}`} · point {point} ·{' '}
          {placeOf(loaded, point)}
        </p>
      )}
    </>
  );
}

function MapScale(): JSX.Element | null {
  const loaded = shownData.value;
  if (!loaded?.isMap) return null;
  const {scale, shift} = drawn.value;
  const middle = (document.querySelector('.view')?.clientHeight ?? 0) / 2;
  return <ScaleBar scale={scale} y={loaded.origin[1] + (shift[1] - middle) / scale} />;
}

/** Radius in style pixels of the eps-ball or of the kernel; 0 where there is no such ball in the plane. */
function ballRadius({isMap, origin}: LoadedData, pixelY: number): number {
  const {eps, metric, method} = link.value;
  const {scale, shift} = drawn.value;
  if (method === 'mean-shift') return (shownRun.value?.bandwidth ?? 0) * scale;
  if (method === 'hdbscan') return 0;
  if (metric === 'euclidean') return eps * scale;
  if (metric !== 'haversine' || !isMap) return 0;
  return (eps / kmPerUnit(origin[1] + (shift[1] - pixelY) / scale)) * scale;
}

/** The coordinates of a point, with the names of their axes. */
function placeOf({coords, origin, columns, isMap}: LoadedData, point: number): string {
  const [x, y] = [0, 1].map((axis) => origin[axis] + coords[2 * point + axis]);
  if (isMap) return `latitude ${latitudeAt(y).toFixed(4)} · longitude ${x.toFixed(4)}`;
  return `${columns[0] ?? 'x'} ${formatNumber(x)} · ${columns[1] ?? 'y'} ${formatNumber(y)}`;
}

/** Draws on the canvas whatever the session shows; returns what ends that. */
function connect(canvas: HTMLCanvasElement): () => void {
  const controller = new ViewController(canvas, (now) => (drawn.value = now));
  view.value = controller;
  const effects = [
    effect(() => controller.setTheme(theme.value)),
    effect(() => {
      const loaded = shownData.value;
      if (loaded === undefined) return;
      controller.setPoints(loaded, shownRun.peek()?.labels);
      controller.setOutlines([]);
      if (!loaded.isMap) return;
      void projectOutlines(loaded.origin).then((outlines) => {
        if (shownData.peek() === loaded) controller.setOutlines(outlines);
      });
    }),
    effect(() => controller.setLabels(drawnLabels.value)),
    effect(() => controller.select(selectedCluster.value)),
  ];
  return () => {
    for (const stop of effects) stop();
    view.value = undefined;
    controller.destroy();
  };
}

function handleKey(event: KeyboardEvent, controller: ViewController): void {
  const actions: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => controller.panBy(0.15, 0),
    ArrowRight: () => controller.panBy(-0.15, 0),
    ArrowUp: () => controller.panBy(0, 0.15),
    ArrowDown: () => controller.panBy(0, -0.15),
    '+': () => controller.zoomBy(1.5),
    '=': () => controller.zoomBy(1.5),
    '-': () => controller.zoomBy(1 / 1.5),
    '0': () => controller.reset(),
  };
  const act = actions[event.key];
  if (act === undefined || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  act();
}
