import type {MetricOptions} from '@epsball/clustering';
import {computed, effect, signal} from '@preact/signals';
import {formatLink, parseLink, type LinkState} from './link.ts';

const start = parseLink(location.hash);

/** What the page shows. The address follows it. */
export const link = signal<LinkState>(start.state);

/** The metric of the link; on the earth in kilometres. */
export const metricOptions = computed<MetricOptions>(() => {
  const {metric} = link.value;
  return metric === 'haversine' ? {metric, angles: 'degrees', epsUnit: 'km'} : {metric};
});

/** Keys of the address whose values were not allowed. */
export const rejectedKeys = signal<readonly string[]>(start.rejected);

export function setLink(changes: Partial<LinkState>): void {
  link.value = {...link.value, ...changes};
}

addEventListener('hashchange', () => {
  if (location.hash === formatLink(link.value)) return;
  const {state, rejected} = parseLink(location.hash, link.value);
  rejectedKeys.value = rejected;
  link.value = state;
});

effect(() => {
  const fragment = formatLink(link.value);
  // Not a new entry of the history: a slider would add hundreds.
  if (location.hash !== fragment) history.replaceState(null, '', fragment);
});
