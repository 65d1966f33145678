import {GpuLimitError} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, ReadBack, Scratch, type BufferSlice, Owner, type Gpu} from '@epsball/gpu';
import type {EdgeChunk} from './neighborGraph.ts';
import {surveyWgsl} from './survey.wgsl.ts';

const MAX_BLOCK_ROWS = 256;

/** Sums of row lengths over blocks of rows, exact although the device counts modulo 2^32. */
export interface RowSurvey {
  readonly n: number;
  readonly blockRows: number;
  readonly blockEdges: Float64Array;
  readonly edgeCount: number;
  readonly maxRowLength: number;
  readonly undecidedCount: number;
}

export interface SurveyInput {
  readonly n: number;
  readonly rowLength: GPUBuffer;
  /** Lengths of the same number of other rows, to survey as well. */
  readonly otherRowLength?: GPUBuffer | undefined;
  readonly undecidedRows: BufferSlice;
}

/** Sums row lengths on the device, and divides rows into chunks. */
export class RowSurveyor extends Owner {
  readonly #gpu: Gpu;
  readonly #kernel: Kernel<typeof surveyWgsl, 'surveyRows'>;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  readonly #readBack: ReadBack;

  private constructor(gpu: Gpu, kernel: Kernel<typeof surveyWgsl, 'surveyRows'>) {
    super();
    this.#gpu = gpu;
    this.#kernel = kernel;
    this.#params = this.own(new ParamRing(gpu, 'neighbor-graph/survey.params', 4));
    this.#scratch = this.own(new Scratch(gpu, 'neighbor-graph/survey'));
    this.#readBack = this.own(new ReadBack(gpu, 'neighbor-graph/survey'));
  }

  static async create(gpu: Gpu): Promise<RowSurveyor> {
    return new RowSurveyor(gpu, await Kernel.create(gpu, surveyWgsl, 'surveyRows'));
  }

  /** Records a survey and `after`, ends the pass, submits, and waits for 8 bytes per block. */
  async survey(
    input: SurveyInput,
    {encoder, pass}: {readonly encoder: GPUCommandEncoder; readonly pass: GPUComputePassEncoder},
    after?: (pass: GPUComputePassEncoder) => void,
    beforeWait?: () => void,
  ): Promise<readonly [RowSurvey, RowSurvey?]> {
    const {n, rowLength, otherRowLength, undecidedRows} = input;
    const lists = otherRowLength ? 2 : 1;
    // A row has fewer than n edges, so the edges of a block stay below 2^32.
    const blockRows = Math.max(1, Math.min(MAX_BLOCK_ROWS, Math.floor(0xffff_ffff / n)));
    const blocks = Math.ceil(n / blockRows);
    const bytes = 8 * (blocks + 1) * lists;
    const survey = this.#scratch.take('survey', bytes);
    const params = this.#params.write(surveyWgsl.structs.SurveyParams, {n, blockRows, blocks, lists});
    const rows = {rowLength, otherRowLength: otherRowLength ?? rowLength};
    const group = this.#kernel.bind({...rows, undecidedRows, params, survey});
    this.#kernel.dispatch(pass, group, foldDispatch(blocks));
    after?.(pass);
    pass.end();
    const ask = this.#readBack.encode(encoder, [{source: survey, bytes}]);
    this.#gpu.device.queue.submit([encoder.finish()]);
    const coming = ask();
    beforeWait?.();
    return coming.take((memory) => {
      const words = new Uint32Array(memory);
      const wordsEach = 2 * (blocks + 1);
      const surveyed = (k: number): RowSurvey =>
        surveyOf(words.subarray(k * wordsEach, (k + 1) * wordsEach), n, blockRows);
      return lists === 1 ? [surveyed(0)] : [surveyed(0), surveyed(1)];
    });
  }

  /** Waits for the submitted work, and reads one word. */
  async countUndecided({buffer, offset}: BufferSlice): Promise<number> {
    return (await this.#readBack.read(buffer, new Uint32Array(1), offset))[0];
  }

  /** Waits once if a block of rows exceeds a chunk. */
  async chunks(survey: RowSurvey, rowStart: GPUBuffer, maxEdges: number): Promise<EdgeChunk[]> {
    const {n, blockRows, blockEdges, maxRowLength} = survey;
    if (maxRowLength > maxEdges) {
      const advice = 'a larger `edgeBytes`, a device with more free memory, or a smaller eps would fit';
      throw new GpuLimitError('bytes for the edges of one point', 4 * maxRowLength, 4 * maxEdges, advice);
    }
    const chunks: EdgeChunk[] = [];
    let open = {firstRow: 0, rowCount: 0, edgeCount: 0};
    // Joins consecutive rows while their edges fit.
    const add = (rows: number, edges: number): void => {
      if (open.edgeCount + edges > maxEdges) {
        chunks.push(open);
        open = {firstRow: open.firstRow + open.rowCount, rowCount: 0, edgeCount: 0};
      }
      open.rowCount += rows;
      open.edgeCount += edges;
    };
    const starts = await this.#startsToCut(survey, rowStart, maxEdges);
    for (let block = 0; block < blockEdges.length; block++) {
      const first = block * blockRows;
      const rows = Math.min(blockRows, n - first);
      if (blockEdges[block] <= maxEdges) {
        add(rows, blockEdges[block]);
        continue;
      }
      const from = first - starts.firstRow;
      for (let row = from; row < from + rows; row++) add(1, (starts.words[row + 1] - starts.words[row]) >>> 0);
    }
    return [...chunks, open];
  }

  /** Starts of the rows from the first block that exceeds a chunk to the last such block. */
  async #startsToCut({n, blockRows, blockEdges}: RowSurvey, rowStart: GPUBuffer, maxEdges: number) {
    const isTooLong = (edges: number): boolean => edges > maxEdges;
    const firstRow = blockEdges.findIndex(isTooLong) * blockRows;
    if (firstRow < 0) return {firstRow: 0, words: new Uint32Array(0)};
    const endRow = Math.min(n, (blockEdges.findLastIndex(isTooLong) + 1) * blockRows);
    const words = await this.#readBack.read(rowStart, new Uint32Array(endRow - firstRow + 1), 4 * firstRow);
    return {firstRow, words};
  }
}

function surveyOf(words: Uint32Array, n: number, blockRows: number): RowSurvey {
  const blocks = words.length / 2 - 1;
  const blockEdges = new Float64Array(blocks);
  let edgeCount = 0;
  let maxRowLength = 0;
  for (let block = 0; block < blocks; block++) {
    const edges = words[2 * block];
    const longest = words[2 * block + 1];
    blockEdges[block] = edges;
    edgeCount += edges;
    if (longest > maxRowLength) maxRowLength = longest;
  }
  return {n, blockRows, blockEdges, edgeCount, maxRowLength, undecidedCount: words[2 * blocks]};
}
