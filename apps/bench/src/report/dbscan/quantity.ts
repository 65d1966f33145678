import type {Quantity} from '@epsball/benchmarks';
import {formatFactor, formatMs, formatPercent} from '@epsball/cli/command';

/** A share, a factor or a time. */
export function formatQuantity(quantity: Quantity, value: number): string {
  if (quantity === 'indexShare') return formatPercent(value);
  return quantity === 'speedUp' ? formatFactor(value) : formatMs(value);
}
