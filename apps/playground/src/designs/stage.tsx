import {COLOR_COUNT} from '@epsball/clustering/palette';
import {pointBounds} from '@epsball/spatial-grid';
import type {JSX} from 'preact';
import {setColourText, type Theme} from '../draw/palette.ts';
import {theme} from '../state/theme.ts';
import {NOISE_PAINT, UNSEEN, type CellMark, type Frame} from '../steps/frame.ts';
import {recording, stageParams, stagePoints, step} from './playback.ts';

/** Longer side of the picture, in units of the drawing. */
const SIZE = 600;
const MARGIN = 36;

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  x(value: number): number;
  y(value: number): number;
}

/** The picture of one step: cells, eps-balls, edges, ways and points. One renderer for all designs. */
export function Stage({frame}: {readonly frame: Frame}): JSX.Element {
  const {coords} = stagePoints.value;
  const layout = layoutOf(coords);
  const places = frame.positions ?? coords;
  const {eps} = stageParams.value;
  return (
    <svg class="stage" viewBox={`0 0 ${layout.width} ${layout.height}`} role="img" aria-label={frame.text}>
      <Cells cells={frame.cells} layout={layout} />
      {frame.balls.map((i) => (
        <circle
          key={`ball${i}`}
          class="ball"
          cx={layout.x(places[2 * i])}
          cy={layout.y(places[2 * i + 1])}
          r={eps * layout.scale}
        />
      ))}
      <Edges frame={frame} layout={layout} />
      {frame.positions && <Ways layout={layout} frame={frame} />}
      <Points frame={frame} places={places} layout={layout} />
    </svg>
  );
}

function Cells({cells, layout}: {readonly cells: readonly CellMark[]; readonly layout: Layout}): JSX.Element {
  return (
    <g>
      {cells.map(({x, y, width, height, paint}, k) => (
        <rect
          key={k}
          class={paint === undefined ? 'cell' : 'cell filled'}
          x={layout.x(x)}
          y={layout.y(y + height)}
          width={width * layout.scale}
          height={height * layout.scale}
          style={paint === undefined ? {} : {fill: colourOf(paint, theme.value)}}
        />
      ))}
    </g>
  );
}

function Edges({frame, layout}: {readonly frame: Frame; readonly layout: Layout}): JSX.Element {
  const {coords} = stagePoints.value;
  return (
    <g>
      {frame.edges.map(({from, to, kind}, k) => (
        <line
          key={k}
          class={kind}
          x1={layout.x(coords[2 * from])}
          y1={layout.y(coords[2 * from + 1])}
          x2={layout.x(coords[2 * to])}
          y2={layout.y(coords[2 * to + 1])}
          style={kind === 'claim' || kind === 'tree' ? {stroke: colourOf(frame.paint[from], theme.value)} : {}}
        />
      ))}
    </g>
  );
}

/** The ways of points that have moved, up to this step. */
function Ways({layout, frame}: {readonly layout: Layout; readonly frame: Frame}): JSX.Element {
  const stops = recording.value.frames
    .slice(0, step.value + 1)
    .flatMap(({positions}) => (positions ? [positions] : []));
  return (
    <g class="ways">
      {Array.from(frame.paint, (paint, i) => (
        <polyline
          key={i}
          points={stops
            .map((stop) => `${layout.x(stop[2 * i]).toFixed(1)},${layout.y(stop[2 * i + 1]).toFixed(1)}`)
            .join(' ')}
          style={{stroke: paint === UNSEEN ? 'var(--accent)' : colourOf(paint, theme.value)}}
        />
      ))}
    </g>
  );
}

interface PointsProps {
  readonly frame: Frame;
  readonly places: Float32Array | Float64Array;
  readonly layout: Layout;
}

function Points({frame, places, layout}: PointsProps): JSX.Element {
  const focus = new Set(frame.focus);
  return (
    <g class="points">
      {Array.from(frame.paint, (paint, i) => {
        const kind = [frame.core[i] === 1 ? 'core' : '', focus.has(i) ? 'focus' : '', paint === UNSEEN ? 'unseen' : ''];
        return (
          <circle
            key={i}
            class={kind.filter(Boolean).join(' ')}
            r={focus.has(i) ? 6.5 : frame.core[i] === 1 ? 4.4 : 3.4}
            style={{
              transform: `translate(${layout.x(places[2 * i]).toFixed(2)}px, ${layout.y(places[2 * i + 1]).toFixed(2)}px)`,
              // A point that has left its place is on its way: it must stay visible among the ways.
              fill:
                paint === UNSEEN
                  ? frame.positions
                    ? 'var(--accent)'
                    : 'var(--surface)'
                  : colourOf(paint, theme.value),
            }}
          />
        );
      })}
      <Marks frame={frame} places={places} layout={layout} />
    </g>
  );
}

/** What tells sets of one colour apart: a dash, a bar, a cross … by round of the colours. */
const MARKS = ['M-3 0H3', 'M0-3V3', 'M-3 0H3M0-3V3', 'M-2-2L2 2', 'M-2 2L2-2', 'M-2-2L2 2M-2 2L2-2'];

function Marks({frame, places, layout}: PointsProps): JSX.Element {
  return (
    <>
      {Array.from(frame.paint, (paint, i) => {
        const round = Math.floor(paint / COLOR_COUNT);
        if (round < 1) return null;
        const place = `${layout.x(places[2 * i]).toFixed(2)} ${layout.y(places[2 * i + 1]).toFixed(2)}`;
        return <path key={`mark${i}`} d={MARKS[(round - 1) % MARKS.length]} transform={`translate(${place})`} />;
      })}
    </>
  );
}

/** Colour of a number of a set, chain, thread or cluster. */
export function colourOf(paint: number, shade: Theme): string {
  if (paint === NOISE_PAINT) return 'var(--noise)';
  return paint === UNSEEN ? 'var(--unseen)' : setColourText(paint, shade);
}

function layoutOf(coords: Float32Array | Float64Array): Layout {
  const {min, max} = pointBounds({coords, dim: 2});
  const [[lowX, lowY], [highX, highY]] = [min, max];
  const scale = (SIZE - 2 * MARGIN) / Math.max(highX - lowX, highY - lowY, 1e-9);
  const width = (highX - lowX) * scale + 2 * MARGIN;
  const height = (highY - lowY) * scale + 2 * MARGIN;
  return {
    width,
    height,
    scale,
    x: (value) => MARGIN + (value - lowX) * scale,
    y: (value) => height - MARGIN - (value - lowY) * scale,
  };
}
