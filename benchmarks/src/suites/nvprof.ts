/**
 * The profile of gdbscan as the course report prints it: share, time, calls, average, shortest, longest, name. Its rows
 * add up to 84.60 %; the rest is not printed, and neither is the sample.
 */
export const NVPROF: readonly (readonly string[])[] = [
  [
    '60.99%',
    '867.01ms',
    '25660',
    '33.788us',
    '4.1930us',
    '331.51us',
    'bfsKernel(bool*, bool*, int const *, int const *, int const *, int*, int, int)',
  ],
  ['11.99%', '170.45ms', '1', '170.45ms', '170.45ms', '170.45ms', 'collectDegree(float2 const *, int, float, int*)'],
  [
    '11.62%',
    '165.14ms',
    '1',
    '165.14ms',
    '165.14ms',
    '165.14ms',
    'constructEaKernel(float2 const *, int const *, int const *, int, float, int*)',
  ],
];
