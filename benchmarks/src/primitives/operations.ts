/**
 * Every operation that the suite measures; the app's registry must have the code for each, or it does not compile.
 *
 * In running order: where a profile's seconds run out, variants of the sort are left out first.
 */
export const operations = [
  {
    id: 'reduce-sum-f32',
    family: 'Reduce',
    title: 'sum',
    element: 'f32',
    bytesPerElement: 4,
    traffic: 'values read',
  },
  {
    id: 'reduce-max-u32',
    family: 'Reduce',
    title: 'maximum',
    element: 'u32',
    bytesPerElement: 4,
    traffic: 'values read',
  },
  {
    id: 'scan-exclusive-u32',
    family: 'Scan',
    title: 'exclusive sum',
    element: 'u32',
    bytesPerElement: 8,
    traffic: 'values read, sums written',
  },
  {
    id: 'scan-inclusive-f32',
    family: 'Scan',
    title: 'inclusive sum',
    element: 'f32',
    bytesPerElement: 8,
    traffic: 'values read, sums written',
  },
  {
    id: 'sort-pairs-u32',
    family: 'Sort',
    title: 'pairs',
    element: 'u32, u32',
    bytesPerElement: 16,
    traffic: 'keys and values read, keys and values written',
  },
  {
    id: 'compact-u32',
    family: 'Select',
    title: 'compaction, half kept',
    element: 'u32',
    bytesPerElement: 10,
    traffic: 'flags and values read, half of the values written',
  },
  {
    id: 'partition-u32',
    family: 'Select',
    title: 'partition, half kept',
    element: 'u32',
    bytesPerElement: 12,
    traffic: 'flags and values read, values written',
  },
  {
    id: 'sort-pairs-f32',
    family: 'Sort',
    title: 'pairs',
    element: 'f32, u32',
    bytesPerElement: 16,
    traffic: 'keys and values read, keys and values written',
  },
  {
    id: 'sort-keys-u32',
    family: 'Sort',
    title: 'keys',
    element: 'u32',
    bytesPerElement: 8,
    traffic: 'keys read, keys written',
  },
  {
    id: 'sort-keys-u64',
    family: 'Sort',
    title: 'keys',
    element: 'u64',
    bytesPerElement: 16,
    traffic: 'keys read, keys written',
  },
  {
    id: 'argsort-u32',
    family: 'Sort',
    title: 'argsort',
    element: 'u32',
    bytesPerElement: 8,
    traffic: 'keys read, positions written',
  },
] as const;

export type OperationId = (typeof operations)[number]['id'];
