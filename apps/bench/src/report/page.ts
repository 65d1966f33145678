import {documents} from '@epsball/benchmarks';
import {escapeHtml} from '@epsball/cli/command';
import {PAGE_CSS} from './css.ts';
import {claimsHtml, documentsHtml} from './documents.ts';
import {frontHtml} from './front.ts';
import type {MachineRuns} from './machines.ts';
import {PAGE_SCRIPT} from './pageScript.ts';
import {suitesHtml} from './suites.ts';

/** A report of another machine, as a page links it. */
export interface ElsewhereReport {
  readonly machine: string;
  readonly href: string;
}

/** Everything that a page shows. */
export interface Page {
  /** The first one is shown; committed results of others stand beside it. */
  readonly machines: readonly [MachineRuns, ...MachineRuns[]];
  readonly elsewhere: readonly ElsewhereReport[];
  /** HTML of a comparison; empty without one. */
  readonly comparison: string;
}

/**
 * The report as one HTML file: pictures, charts, styles and one small script inside, nothing loaded from anywhere. The
 * page is complete without the script. It shows what ran; the rest is one line.
 */
export async function renderPage({machines, elsewhere, comparison}: Page): Promise<string> {
  const [machine, ...others] = machines;
  const contents = [
    ...(comparison === '' ? [] : [['comparison', 'Comparison']]),
    ['claims', 'Claims'],
    ...documents.map(({id, title}) => [`document-${id}`, title]),
    ['suites', 'Suites'],
    ['method', 'Method'],
  ].map(([anchor, text]) => `<a href="#${anchor}">${escapeHtml(text)}</a>`);
  return htmlPage(
    'epsball benchmarks',
    `${frontHtml(machines)}
${comparison}
<nav aria-label="Contents">${contents.join('')}</nav>
${claimsHtml(machine, others)}
${await documentsHtml(machine, others)}
${await suitesHtml(machine)}
${methodHtml(machine, elsewhere)}`,
  );
}

/** A page of ours around some HTML. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${PAGE_CSS}</style>
</head>
<body>
<main>
${body}
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function methodHtml({runs}: MachineRuns, elsewhere: readonly ElsewhereReport[]): string {
  const {machine, adapter, adapterError} = runs[0].result;
  const gpu =
    adapter === null
      ? `no GPU: ${adapterError ?? 'not looked for'}`
      : `${adapter.name} (${adapter.kind}; ${adapter.description || 'driver not named'}; subgroups of ${adapter.subgroupMinSize} to ${adapter.subgroupMaxSize} lanes)`;
  const facts = `${machine.cpu}, ${machine.threads} threads, ${Math.round(machine.memoryBytes / 2 ** 30)} GiB, ${machine.os} (${machine.arch}), Node ${machine.node}; ${gpu}`;
  const links = elsewhere.map(({machine: name, href}) => `<a href="${escapeHtml(href)}">${escapeHtml(name)}</a>`);
  const commands = [
    ...new Set(runs.map(({result}) => `pnpm epsball bench ${result.suite} --profile ${result.profile}`)),
  ];
  return `<section id="method"><h2>Method</h2>
<p class="small">Each cell ran in a process of its own, warm-up runs first; its time is the median of the counted runs, ± half the range of their middle half. Times are whole runs from the caller’s array to the caller’s labels, transfers included; “device” is what the adapter’s own clock says about the kernels. A time counts only if the labels are right, byte for byte. Published numbers are the documents’, of their machines, and are never divided by ours. <code>benchmarks/METHOD.md</code> has the rest.</p>
<p class="small">${escapeHtml(facts)}.</p>
${links.length === 0 ? '' : `<p class="small">Reports of other machines: ${links.join(', ')}.</p>`}
<details><summary>Run it again</summary><pre>${escapeHtml(commands.join('\n'))}</pre></details>
</section>`;
}
