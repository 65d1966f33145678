import {describe, expect, it} from 'vitest';
import {InvalidParameterError} from '@epsball/clustering';
import {connectedComponents} from '@epsball/union-find';
import {graphsOf, smallestMembers} from '@epsball/conformance/graphs';

describe('connectedComponents', () => {
  it('numbers components in the order of their smallest vertices', () => {
    const {labels, componentCount} = connectedComponents(6, Uint32Array.of(5, 1, 4, 2, 1, 3));
    expect([...labels]).toEqual([0, 1, 2, 1, 2, 1]);
    expect(componentCount).toBe(3);
  });

  it.for(graphsOf(500))('finds the components of: $name', (graph) => {
    const smallest = smallestMembers(graph);
    const roots = [...new Set(smallest)].sort((a, b) => a - b);
    const {labels, componentCount} = connectedComponents(graph.n, graph.edges);
    expect(componentCount).toBe(roots.length);
    expect([...labels]).toEqual([...smallest].map((root) => roots.indexOf(root)));
  });

  it('accepts edges on shared memory and does not modify them', () => {
    const edges = new Uint32Array(new SharedArrayBuffer(16));
    edges.set([2, 0, 1, 1]);
    expect(connectedComponents(3, edges).componentCount).toBe(2);
    expect([...edges]).toEqual([2, 0, 1, 1]);
  });

  it('accepts no vertices and no edges', () => {
    expect(connectedComponents(0, new Uint32Array(0))).toEqual({labels: new Int32Array(0), componentCount: 0});
    expect(connectedComponents(2, new Uint32Array(0))).toEqual({labels: Int32Array.of(0, 1), componentCount: 2});
  });

  it.for([
    [2.5, Uint32Array.of(), 'n = 2.5; expected an integer from 0 to 2147483647'],
    [-1, Uint32Array.of(), 'n = -1; expected an integer from 0 to 2147483647'],
    [3, Uint32Array.of(0, 1, 2), 'edges.length = 3; expected an even number: two vertices an edge'],
    [3, Uint32Array.of(0, 1, 3, 9), 'edges[2] = 3; expected an integer from 0 to 2'],
    [3, Uint32Array.of(0, 1, 2, 4_294_967_295), 'edges[3] = 4294967295; expected an integer from 0 to 2'],
    [0, Uint32Array.of(0, 0), 'edges[0] = 0; expected no member, because n = 0'],
    [3, Int32Array.of(0, 1), 'edges = Int32Array; expected a Uint32Array'],
    [3, [0, 1], 'edges = Array; expected a Uint32Array'],
    [3, undefined, 'edges = undefined; expected a Uint32Array'],
  ] as const)('refuses n = %s with edges %o', ([n, edges, message]) => {
    const attempt = (): unknown => connectedComponents(n, edges as Uint32Array);
    expect(attempt).toThrow(InvalidParameterError);
    expect(attempt).toThrow(message);
  });
});
