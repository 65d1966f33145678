import {createHash} from 'node:crypto';
import type {InputFile, RunRequest} from './run.ts';

/** The parameters that determine the labels, besides the contents of the input. */
function parametersOf({params, order = 'input', ...request}: RunRequest): Record<string, unknown> {
  const {columns, delimiter, decimal, precision, dim} = request;
  return {eps: params.eps, minPts: params.minPts, columns, delimiter, decimal, precision, dim, order};
}

/** What determines the labels and differs between two requests: `eps = 0.5, not 0.1`. Empty if they agree. */
export function differencesOf(found: RunRequest, request: RunRequest): string[] {
  const [before, now] = [parametersOf(found), parametersOf(request)];
  const show = (value: unknown): string => JSON.stringify(value) ?? '(default)';
  const differing = Object.keys(now).filter((name) => show(before[name]) !== show(now[name]));
  const parameters = differing.map((name) => `${name} = ${show(before[name])}, not ${show(now[name])}`);
  return [...parameters, ...differenceOfInputs(found.inputs, request.inputs)];
}

function differenceOfInputs(found: readonly InputFile[], inputs: readonly InputFile[]): string[] {
  if (found.length !== inputs.length) {
    return [`${found.length} input ${found.length === 1 ? 'file' : 'files'}, not ${inputs.length}`];
  }
  const k = inputs.findIndex(({hash}, i) => hash !== found[i].hash);
  if (k < 0) return [];
  const [{path: before}, {path: now}] = [found[k], inputs[k]];
  return [before === now ? `another content of ${now}` : `input = "${before}", not "${now}"`];
}

/**
 * Identifies a request by what its tasks compute: markers of another request are not taken for this one's. Sizes are
 * part of it, because tasks refer to the pieces of other tasks.
 */
export function identityOf(request: RunRequest): string {
  const {format, inputs, memoryBytes, minTiles, forced} = request;
  const hashes = inputs.map(({hash}) => hash);
  const text = JSON.stringify([format, parametersOf(request), hashes, memoryBytes, minTiles, forced]);
  return createHash('sha256').update(text).digest('hex');
}
