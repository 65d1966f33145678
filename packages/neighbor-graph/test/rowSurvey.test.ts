import {Scan} from '@epsball/gpu-primitives';
import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {expect, it} from 'vitest';
import {RowSurveyor} from '../src/rowSurvey.ts';

describeGpu('the survey of rows', () => {
  const rig = withGpu();

  it('counts edges exactly beyond 2^32, and divides such rows into chunks', async () => {
    const n = 300;
    const lengths = Uint32Array.from({length: n + 1}, (_, i) => 15_000_000 + i);
    const edgeCount = 300 * 15_000_000 + (299 * 300) / 2;
    using scan = await Scan.create(rig.gpu);
    const starts = await scan.run(lengths);
    expect(starts[n]).toBe(edgeCount - 2 ** 32);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    using rowLength = rig.gpu.createBuffer('test/rowLength', lengths.byteLength, usage);
    using rowStart = rig.gpu.createBuffer('test/rowStart', starts.byteLength, usage);
    rig.gpu.device.queue.writeBuffer(rowLength.buffer, 0, lengths);
    rig.gpu.device.queue.writeBuffer(rowStart.buffer, 0, starts);
    using undecidedRows = rig.gpu.createBuffer('test/undecidedRows', 4, usage);
    using surveyor = await RowSurveyor.create(rig.gpu);
    const encoder = rig.gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    const otherLengths = lengths.map((_, i) => (i * 7919) % 1009);
    using otherRowLength = rig.gpu.createBuffer('test/otherRowLength', otherLengths.byteLength, usage);
    rig.gpu.device.queue.writeBuffer(otherRowLength.buffer, 0, otherLengths);
    const buffers = {
      rowLength: rowLength.buffer,
      otherRowLength: otherRowLength.buffer,
      undecidedRows: {buffer: undecidedRows.buffer},
    };
    const [survey, other] = await surveyor.survey({n, ...buffers}, {encoder, pass});
    const ofOthers = otherLengths.subarray(0, n);
    expect(other).toMatchObject({
      edgeCount: ofOthers.reduce((sum, length) => sum + length, 0),
      maxRowLength: ofOthers.reduce((most, length) => Math.max(most, length), 0),
      undecidedCount: 0,
    });
    expect(survey).toMatchObject({edgeCount, maxRowLength: 15_000_299, undecidedCount: 0});
    const chunks = await surveyor.chunks(survey, rowStart.buffer, 2 ** 30);
    expect(chunks.map(({rowCount}) => rowCount)).toEqual([71, 71, 71, 43, 44]);
    expect(chunks.reduce((sum, chunk) => sum + chunk.edgeCount, 0)).toBe(edgeCount);
  });
});
