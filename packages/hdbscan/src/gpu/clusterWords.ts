// Clusters as kernels read them.
import type {ClusterTable} from '../hierarchy/chooseClusters.ts';
import type {JoinedBasins} from '../hierarchy/joinBasins.ts';

/** Four words a cluster: `clusters` of fillClusters.wgsl. */
export function wordsOf({parent, birth, jump, death}: JoinedBasins): Uint32Array {
  const words = new Uint32Array(4 * parent.length);
  for (let c = 0; c < parent.length; c++) {
    words[4 * c] = parent[c];
    words[4 * c + 1] = birth[c];
    words[4 * c + 2] = jump[c];
    words[4 * c + 3] = death[c];
  }
  return words;
}

/** Six words a cluster: `ClusterRow` of describePoints.wgsl. */
export function rowsOf({number, label, lambdaMax, deepest}: ClusterTable): Uint32Array {
  const numbers = new Float64Array(3 * number.length);
  const words = new Uint32Array(numbers.buffer);
  for (let c = 0; c < number.length; c++) {
    numbers[3 * c] = lambdaMax[c];
    numbers[3 * c + 1] = deepest[c];
    words[6 * c + 4] = number[c];
    words[6 * c + 5] = label[c];
  }
  return words;
}
