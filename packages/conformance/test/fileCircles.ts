import {resolve} from 'node:path';
import type {Import} from './workspace.ts';

/**
 * The circles of imports between files: the strongly connected components of more than one file, and files that import
 * themselves.
 *
 * @param imports  static, dynamic and type-only imports; those without a leading `.` are ignored
 * @returns        the files of each circle, sorted
 * @source         Tarjan 1972, Depth-first search and linear graph algorithms
 */
export function fileCircles(imports: readonly Import[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const {file, specifier} of imports) {
    if (!specifier.startsWith('.')) continue;
    const target = resolve('/', file, '..', specifier).slice(1);
    targets.set(file, (targets.get(file) ?? new Set()).add(target));
  }
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    low.set(file, index);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      const reached = order.has(target)
        ? stack.includes(target)
          ? (order.get(target) ?? index)
          : index
        : visit(target);
      low.set(file, Math.min(low.get(file) ?? index, reached));
    }
    if (low.get(file) === index) {
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1 || targets.get(file)?.has(file)) circles.push(component.toSorted());
    }
    return low.get(file) ?? index;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return circles;
}
