import type {GpuLimitError} from '@epsball/clustering';

/** Why a cell that the adapter has no room for is left out. */
export function describeLimit({what, asked, allowed}: GpuLimitError): string {
  const most = Number.isNaN(allowed) ? 'less' : allowed.toLocaleString('en-US');
  return `${what} = ${asked.toLocaleString('en-US')}; the adapter allows ${most}`;
}
