/**
 * Clusters of modes by the definition: modes within a bandwidth of each other in every domain are joined, and so are
 * chains of them. Numbered by falling number of modes, equal ones by their first mode.
 */
export function basinsByDefinition(
  modes: Float64Array,
  dim: number,
  bandwidth: number,
  domains: readonly number[] = [dim],
): number[] {
  const m = modes.length / dim;
  const owner = Array.from({length: m}, () => -1);
  const sizes: number[] = [];
  for (let first = 0; first < m; first++) {
    if (owner[first] >= 0) continue;
    const chain = [first];
    owner[first] = sizes.length;
    for (let k = 0; k < chain.length; k++) {
      for (let j = 0; j < m; j++) {
        if (owner[j] >= 0 || !areNear(modes, dim, bandwidth, domains, chain[k], j)) continue;
        owner[j] = sizes.length;
        chain.push(j);
      }
    }
    sizes.push(chain.length);
  }
  const order = sizes.map((_, c) => c).toSorted((a, b) => sizes[b] - sizes[a] || a - b);
  return owner.map((c) => order.indexOf(c));
}

function areNear(
  modes: Float64Array,
  dim: number,
  bandwidth: number,
  domains: readonly number[],
  i: number,
  j: number,
): boolean {
  let axis = 0;
  for (const axes of domains) {
    let d2 = 0;
    for (const end = axis + axes; axis < end; axis++) d2 += (modes[i * dim + axis] - modes[j * dim + axis]) ** 2;
    if (d2 > bandwidth * bandwidth) return false;
  }
  return true;
}
