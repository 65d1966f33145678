import type {LabelColumn} from '@epsball/datasets';

/** Columns beside labels, by name. */
export type Kept = Readonly<Record<string, LabelColumn>>;

type KeptValue = string | number | bigint | null;

/** The values of a column that come block by block. Integers and numbers without a gap are in typed arrays. */
export class KeptValues {
  readonly #blocks: LabelColumn[] = [];

  add(values: readonly unknown[]): void {
    if (values.every((value) => typeof value === 'bigint')) this.#blocks.push(BigInt64Array.from(values));
    else if (values.every((value) => typeof value === 'number')) this.#blocks.push(Float64Array.from(values));
    else this.#blocks.push(values.map(plainValue));
  }

  finish(): LabelColumn {
    const blocks = this.#blocks;
    const n = blocks.reduce((sum, {length}) => sum + length, 0);
    if (blocks.every((block) => block instanceof BigInt64Array)) return joined(blocks, new BigInt64Array(n));
    if (blocks.every((block) => block instanceof Float64Array)) return joined(blocks, new Float64Array(n));
    const values: KeptValue[] = [];
    for (const block of blocks) for (const value of block) values.push(value);
    return values;
  }
}

function plainValue(value: unknown): KeptValue {
  const isPlain = typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string';
  return isPlain ? value : null;
}

function joined<Block extends {readonly length: number}, Values extends {set(block: Block, at: number): void}>(
  blocks: readonly Block[],
  values: Values,
): Values {
  let done = 0;
  for (const block of blocks) {
    values.set(block, done);
    done += block.length;
  }
  return values;
}

/** The values of the given rows; of all rows without them. */
export function keptRows(kept: Kept, rows: Int32Array | undefined): Kept {
  if (rows === undefined) return kept;
  const at = (values: LabelColumn): LabelColumn => {
    const column = new KeptValues();
    column.add(Array.from(rows, (row) => values[row]));
    return column.finish();
  };
  return Object.fromEntries(Object.entries(kept).map(([name, values]) => [name, at(values)]));
}
