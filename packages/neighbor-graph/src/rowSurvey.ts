import {GpuLimitError} from '@epsball/clustering';
import {Reader, foldDispatch, Kernel, ParamRing, Scratch, type Gpu} from '@epsball/gpu';
import type {EdgeChunk} from './neighborGraph.ts';
import {surveyWgsl} from './survey.wgsl.ts';

const MAX_BLOCK_ROWS = 256;

/** What the host knows of the rows: sums over blocks of them, exact although the device counts modulo 2^32. */
export interface RowSurvey {
  readonly n: number;
  readonly blockRows: number;
  /** Stored edges of each block. */
  readonly blockEdges: Float64Array;
  readonly edgeCount: number;
  readonly maxRowLength: number;
  readonly undecidedCount: number;
}

export interface SurveyInput {
  readonly n: number;
  readonly rowLength: GPUBuffer;
  readonly rowStart: GPUBuffer;
  readonly undecidedRows: GPUBuffer;
}

/** Looks at row lengths on the device, and cuts rows into chunks. */
export class RowSurveyor implements Disposable {
  readonly #gpu: Gpu;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #reader: Reader;

  constructor(gpu: Gpu) {
    this.#gpu = gpu;
    this.#params = new ParamRing(gpu, 'neighbor-graph/survey.params', 4);
    this.#scratch = new Scratch(gpu, 'neighbor-graph/survey');
    this.#reader = new Reader(gpu, 'neighbor-graph/survey');
  }

  /** Submits one pass, which `record` may begin with work of its own, and waits for it: 8 bytes a block. */
  async look(input: SurveyInput, pass: GPUComputePassEncoder, submit: () => void): Promise<RowSurvey> {
    const {n, ...buffers} = input;
    // A row holds fewer than n edges, so the edges of a block stay below 2^32.
    const blockRows = Math.max(1, Math.min(MAX_BLOCK_ROWS, Math.floor(0xffff_ffff / n)));
    const blocks = Math.ceil(n / blockRows);
    const survey = this.#scratch.take('survey', 8 * (blocks + 1));
    const kernel = await Kernel.create(this.#gpu, surveyWgsl, 'surveyRows');
    const params = this.#params.write(surveyWgsl.structs.SurveyParams, {n, blockRows, blocks});
    kernel.dispatch(pass, kernel.bind({...buffers, params, survey}), foldDispatch(blocks));
    submit();
    const words = new Uint32Array(2 * (blocks + 1));
    await this.#reader.read(survey, words);
    return surveyOf(words, n, blockRows);
  }

  /**
   * Cuts the rows into chunks of at most `maxEdges` edges; waits once for each block of rows that does not fit one.
   *
   * @throws GpuLimitError  if a single row has more
   */
  async chunks(survey: RowSurvey, rowStart: GPUBuffer, maxEdges: number): Promise<EdgeChunk[]> {
    const {n, blockRows, blockEdges, maxRowLength} = survey;
    if (maxRowLength > maxEdges) {
      const advice = 'a larger budget for edges, or a smaller eps, would fit';
      throw new GpuLimitError('bytes for the edges of one point', 4 * maxRowLength, 4 * maxEdges, advice);
    }
    const cutter = new RowCutter(maxEdges);
    for (let block = 0; block < blockEdges.length; block++) {
      const rows = Math.min(blockRows, n - block * blockRows);
      if (blockEdges[block] <= maxEdges) {
        cutter.add(rows, blockEdges[block]);
        continue;
      }
      const starts = new Uint32Array(rows + 1);
      await this.#reader.read(rowStart, starts, 4 * block * blockRows);
      for (let row = 0; row < rows; row++) cutter.add(1, (starts[row + 1] - starts[row]) >>> 0);
    }
    return cutter.finish();
  }

  destroy(): void {
    this.#params.destroy();
    this.#scratch.destroy();
    this.#reader.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Joins rows that follow each other while their edges fit. */
class RowCutter {
  readonly #maxEdges: number;
  readonly #chunks: EdgeChunk[] = [];
  #firstRow = 0;
  #rowCount = 0;
  #edgeCount = 0;

  constructor(maxEdges: number) {
    this.#maxEdges = maxEdges;
  }

  add(rows: number, edges: number): void {
    if (this.#edgeCount + edges > this.#maxEdges) this.#close();
    this.#rowCount += rows;
    this.#edgeCount += edges;
  }

  finish(): EdgeChunk[] {
    this.#close();
    return this.#chunks;
  }

  #close(): void {
    this.#chunks.push({firstRow: this.#firstRow, rowCount: this.#rowCount, edgeCount: this.#edgeCount});
    this.#firstRow += this.#rowCount;
    this.#rowCount = 0;
    this.#edgeCount = 0;
  }
}

function surveyOf(words: Uint32Array, n: number, blockRows: number): RowSurvey {
  const blocks = words.length / 2 - 1;
  const blockEdges = new Float64Array(blocks);
  let edgeCount = 0;
  let maxRowLength = 0;
  for (let block = 0; block < blocks; block++) {
    blockEdges[block] = (words[2 * block + 2] - words[2 * block]) >>> 0;
    edgeCount += blockEdges[block];
    maxRowLength = Math.max(maxRowLength, words[2 * block + 1]);
  }
  return {n, blockRows, blockEdges, edgeCount, maxRowLength, undecidedCount: words[2 * blocks + 1]};
}
