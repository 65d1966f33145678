import {InvalidParameterError, type PointSet} from '@epsball/clustering';
import type {GenerateOptions, Precision} from './coords.ts';
import {datasets, type DatasetSpec} from './registry.ts';

/** A dataset to generate, with all options. */
export interface DatasetRequest extends GenerateOptions {
  /** An `id` of `datasets`. */
  readonly id: string;
}

const KEYS = ['n', 'dim', 'seed', 'precision'] as const;
const EXPECTED_FORM = 'ID or ID:KEY=VALUE,… with keys n, dim, seed, precision';

/**
 * Parses the text of a dataset: `milanesi`, `gaussians:n=1e5,dim=4,seed=7`, `line:n=10,precision=float64`. Missing keys
 * take the dataset's defaults; the default seed is 0.
 *
 * @throws InvalidParameterError  if the text is malformed, names an unknown dataset (lists them) or key, or a value is
 *                                out of range
 */
export function parseDatasetSpec(text: string): DatasetRequest {
  const colon = text.indexOf(':');
  const id = colon < 0 ? text : text.slice(0, colon);
  const row = findDataset(id);
  const given = colon < 0 ? new Map<string, string>() : parsePairs(text, text.slice(colon + 1));
  return {
    id,
    n: parseInteger('n', given.get('n'), row.defaultN, 0, 0x7fffffff),
    dim: parseInteger('dim', given.get('dim'), row.dims.default, row.dims.min, row.dims.max),
    seed: parseInteger('seed', given.get('seed'), 0, 0, 0xffffffff),
    precision: parsePrecision(given.get('precision')),
  };
}

/**
 * Generates the points of a dataset spec.
 *
 * @param spec  a text for `parseDatasetSpec`, or its result
 * @throws InvalidParameterError  as `parseDatasetSpec` does
 */
export function generateDataset(spec: string | DatasetRequest): PointSet {
  const request = typeof spec === 'string' ? parseDatasetSpec(spec) : spec;
  const row = findDataset(request.id);
  if (request.dim < row.dims.min || request.dim > row.dims.max) {
    throw new InvalidParameterError('dim', request.dim, expectedRange(row.dims.min, row.dims.max));
  }
  const {id: _, ...options} = request;
  return row.generate(options);
}

function findDataset(id: string): DatasetSpec {
  const row = datasets.find((candidate) => candidate.id === id);
  if (row === undefined) {
    throw new InvalidParameterError('dataset', id, `one of ${datasets.map((known) => known.id).join(', ')}`);
  }
  return row;
}

function parsePairs(text: string, list: string): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const item of list.split(',')) {
    const equals = item.indexOf('=');
    if (equals < 1) throw new InvalidParameterError('dataset', text, EXPECTED_FORM);
    const key = item.slice(0, equals).trim();
    if (!KEYS.some((known) => known === key)) {
      throw new InvalidParameterError('dataset key', key, `one of ${KEYS.join(', ')}`);
    }
    if (pairs.has(key)) throw new InvalidParameterError('dataset', text, `${key} at most once`);
    pairs.set(key, item.slice(equals + 1).trim());
  }
  return pairs;
}

function parseInteger(key: string, text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback;
  // Decimal digits, or a short form such as 1e6; no sign, no hexadecimal.
  const value = /^\d+(\.\d+)?(e\d+)?$/i.test(text) ? Number(text) : NaN;
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new InvalidParameterError(key, text, expectedRange(min, max));
  }
  return value;
}

function parsePrecision(text: string | undefined): Precision {
  if (text === undefined || text === 'float32') return 'float32';
  if (text === 'float64') return 'float64';
  throw new InvalidParameterError('precision', text, 'float32 or float64');
}

function expectedRange(min: number, max: number): string {
  return min === max ? String(min) : `an integer from ${min} to ${max}`;
}
