import {globSync} from 'node:fs';
import {join} from 'node:path';
import {defaultReportFolder} from './defaultFolder.ts';

/** The committed baselines of this checkout; none in an installed copy. */
export function committedBaselines(): string[] {
  return globSync('*.json', {cwd: baselineFolder()})
    .toSorted()
    .map((file) => join(baselineFolder(), file));
}

/** The committed runs of references, whose labels and times stand in for long sequential runs. */
export function committedReferences(): string[] {
  return globSync('references/*.json', {cwd: baselineFolder()})
    .toSorted()
    .map((file) => join(baselineFolder(), file));
}

function baselineFolder(): string {
  return join(defaultReportFolder(), '..', 'baselines');
}
