import {findRoot, makeSets, unite} from '@epsball/union-find';

export const NO_OWNER = 0xffffffff;
/** Word of a row whose owner stays a root (ROOT of identities.wgsl). */
const ROOT = 0xffffffff;

/**
 * Finds the rows of the collision matrix that are one cluster, directly or through other rows.
 *
 * @param matrix  upper triangular, bit (i, j), i < j, at i · rows + j, 32 to a word
 * @returns       by row: the identity that its owner is united with, or all ones if that is the owner itself
 * @source        Böhm et al. 2009, section 5.1
 */
export function resolveCollisions(matrix: Uint32Array, owners: Uint32Array): Uint32Array<ArrayBuffer> {
  const rows = owners.length;
  const parent = new Uint32Array(rows);
  makeSets(parent);
  for (let word = 0; word < matrix.length; word++) {
    for (let left = matrix[word]; left !== 0; left &= left - 1) {
      const at = word * 32 + 31 - Math.clz32(left & -left);
      unite(parent, Math.floor(at / rows), at % rows);
    }
  }
  const resolved = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) {
    const root = findRoot(parent, row);
    resolved[row] = owners[row] === NO_OWNER || root === row ? ROOT : owners[root];
  }
  return resolved;
}
