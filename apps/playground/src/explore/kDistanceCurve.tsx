import {kneeOf} from '@epsball/dbscan/suggest';
import {scaleLinear, scaleLog} from 'd3-scale';
import type {JSX, TargetedPointerEvent} from 'preact';
import type {KDistances} from '../compute/api.ts';
import {formatNumber, formatOrdinal, formatShare} from '../format.ts';
import {link, setLink} from '../state/linkState.ts';
import {curve} from '../state/session.ts';

const WIDTH = 300;
const HEIGHT = 132;
const LEFT = 40;
const BOTTOM = 20;

/** The k-distance curve: eps by a click, a drag or the button at the bend. */
export function KDistanceCurve(): JSX.Element | null {
  const found = curve.value;
  if (found === undefined || found.distances.length < 2) return null;
  return <Curve found={found} />;
}

function Curve({found}: {readonly found: KDistances}): JSX.Element {
  const {distances, k} = found;
  const {eps} = link.value;
  const positive = distances.filter((distance) => distance > 0);
  const low = Math.min(eps, positive[0] ?? eps) / 1.3;
  const high = Math.max(eps, positive.at(-1) ?? eps) * 1.3;
  const y = scaleLog([low, high], [HEIGHT - BOTTOM, 6]);
  const x = scaleLinear([0, distances.length - 1], [LEFT, WIDTH - 4]);
  const path = Array.from(distances, (distance, s) => `${x(s).toFixed(1)},${y(Math.max(distance, low)).toFixed(1)}`);
  const core = distances.filter((distance) => distance <= eps).length;
  const bend = Number((kneeOf(distances)?.at ?? distances[0]).toPrecision(3));
  const choose = (event: TargetedPointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = ((event.clientY - box.top) / box.height) * HEIGHT;
    setLink({eps: Number(y.invert(Math.min(HEIGHT - BOTTOM, Math.max(6, at))).toPrecision(3))});
  };
  return (
    <figure class="curve">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Distances to the ${formatOrdinal(k)} nearest point, from ${formatNumber(distances[0])} to ${formatNumber(distances.at(-1) ?? 0)}. About ${formatShare(core, distances.length)} of the points are core.`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          choose(event);
        }}
        onPointerMove={(event) => event.buttons === 1 && choose(event)}
      >
        {y
          .ticks(4)
          .filter((tick) => /^[125]/.test(tick.toExponential()))
          .map((tick) => (
            <g key={tick}>
              <line class="tick" x1={LEFT} x2={WIDTH - 4} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 4} y={y(tick) + 3} text-anchor="end">
                {formatNumber(tick)}
              </text>
            </g>
          ))}
        <polyline points={path.join(' ')} />
        <line class="eps" x1={LEFT} x2={WIDTH - 4} y1={y(eps)} y2={y(eps)} />
        <text x={LEFT} y={HEIGHT - 5}>
          nearest
        </text>
        <text x={WIDTH - 4} y={HEIGHT - 5} text-anchor="end">
          farthest
        </text>
      </svg>
      <figcaption>
        Distance to the {formatOrdinal(k)} nearest point, of a sample. Points below the line are core:{' '}
        {formatShare(core, distances.length)}.{' '}
        {bend > 0 && (
          <button type="button" class="link" onClick={() => setLink({eps: bend})}>
            Take the bend, eps = {formatNumber(bend)}
          </button>
        )}
      </figcaption>
    </figure>
  );
}
