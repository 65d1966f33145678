import {documents, figures, plainText, VERDICTS} from '@epsball/benchmarks';
import {chartSvg} from './chart.ts';
import {numbersOf} from './documents.ts';
import {escapeMarkdown} from './escape.ts';
import type {MachineRuns} from './machines.ts';
import {themeCss} from './theme.ts';

/** The claims that stand for their documents. */
const HEADLINES = ['mil-59', 'hy-gdbscan-10-15', 'hy-40', 'ms-tiling-speed-up', 'dc-71-range', 'dc-72-range'];

/** A few claims as a table of Markdown. */
export function headlineTable({name, judgements}: MachineRuns): string {
  const rows = HEADLINES.flatMap((id) => judgements.filter(({claim}) => claim.id === id)).map((judgement) => {
    const {claim, verdict, measured, needed} = judgement;
    const place = documents.find(({entries}) => entries.some((entry) => claim.entries.includes(entry.id)))?.title ?? '';
    const words = verdict === 'partly' ? `partly measured: ${measured} of ${needed}` : VERDICTS[verdict].words;
    return `| ${[place, plainText(claim.english ?? claim.says), numbersOf(judgement), words].map(escapeMarkdown).join(' | ')} |`;
  });
  return [`| ${escapeMarkdown(name)} | the document | ours | verdict |`, '|---|---|---|---|', ...rows].join('\n');
}

/** Times of GPU-DBSCAN over n as a file of its own, with both themes inside. */
export function headlinePicture({evidence}: MachineRuns): string {
  const [spec] = figures['mil-fig2'].charts ?? [];
  const series = spec.series.map(({label, points}) => ({
    label,
    points: points.flatMap(({x, quantity}) => {
      const found = evidence.evaluate(quantity);
      return found === undefined ? [] : [{x, y: found.value}];
    }),
  }));
  const title = 'Time of GPU-DBSCAN by points: the serial CPU code above, the GPU below; diamonds are the document’s';
  const svg = chartSvg({...spec, title, caption: '', series});
  return svg
    .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
    .replace(
      /^(<svg [^>]*>)/,
      `$1<style>${themeCss('svg')} svg { background: var(--surface); font-family: system-ui, sans-serif; }</style>`,
    );
}
