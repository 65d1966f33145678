import type {JSX} from 'preact';
import {theme} from '../state/theme.ts';
import type {Panel} from '../steps/frame.ts';
import {colourOf} from './stage.tsx';

const ITEMS_MAX = 14;

/** What an algorithm keeps beside the points: figures, lists, the collision matrix. */
export function PanelView({panel}: {readonly panel: Panel}): JSX.Element {
  return (
    <section class="panel">
      <h3>{panel.title}</h3>
      {panel.kind === 'figures' && <Figures panel={panel} />}
      {panel.kind === 'lists' && <Lists panel={panel} />}
      {panel.kind === 'matrix' && <Matrix panel={panel} />}
    </section>
  );
}

function Figures({panel}: {readonly panel: Extract<Panel, {kind: 'figures'}>}): JSX.Element {
  return (
    <dl>
      {panel.figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Lists({panel}: {readonly panel: Extract<Panel, {kind: 'lists'}>}): JSX.Element {
  return (
    <ul class="lists">
      {panel.lists.map(({name, paint, items}, k) => (
        <li key={k}>
          <span class="dot" style={{background: colourOf(paint < 0 ? -2 : paint, theme.value)}} />
          {paint < 0 ? 'idle' : name}{' '}
          <span class="quiet">
            {items.slice(0, ITEMS_MAX).join(' ')}
            {items.length > ITEMS_MAX ? ` … ${items.length}` : ''}
            {items.length === 0 ? 'empty' : ''}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Matrix({panel}: {readonly panel: Extract<Panel, {kind: 'matrix'}>}): JSX.Element {
  const {heads, entries} = panel;
  const side = 100 / (heads.length + 1);
  const text = entries.map(([row, column]) => `${heads[row].name} and ${heads[column].name}`).join(', ');
  return (
    <svg class="matrix" viewBox="0 0 100 100" role="img" aria-label={`Collisions: ${text || 'none'}`}>
      {heads.map(({name, paint}, k) => (
        <g key={k}>
          <circle cx={(k + 1.5) * side} cy={side / 2} r={Math.min(2.4, side / 3)} fill={colourOf(paint, theme.value)} />
          <circle cx={side / 2} cy={(k + 1.5) * side} r={Math.min(2.4, side / 3)} fill={colourOf(paint, theme.value)}>
            <title>{name}</title>
          </circle>
          {heads.slice(k + 1).map((_, other) => (
            <rect
              key={other}
              class="entry"
              x={(k + other + 2) * side}
              y={(k + 1) * side}
              width={side * 0.92}
              height={side * 0.92}
            />
          ))}
        </g>
      ))}
      {entries.map(([row, column]) => (
        <rect
          key={`${row},${column}`}
          class="entry hit"
          x={(column + 1) * side}
          y={(row + 1) * side}
          width={side * 0.92}
          height={side * 0.92}
        />
      ))}
    </svg>
  );
}
