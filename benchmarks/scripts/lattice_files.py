"""Points of a square lattice in NPY files, in shuffled order, and the check of their labels.

lattice_files.py make DIR FILES SIDE        writes SIDE² float32 points (SIDE a multiple of 100) to DIR/p-NNN.npy
lattice_files.py check LABELS SIDE          fails unless LABELS are those of eps 1 and minPts 2

Each block of 100 × 100 points is a cluster, two units away from the next. The labels are known without a run: clusters
by their first point in the order of the rows.
"""
import math
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np

BLOCK = 100


def factor(n):
    """Point k of the order is point (k · factor) mod n of the lattice."""
    f = int(n * 0.6180339887) | 1
    while math.gcd(f, n) > 1:
        f += 2
    return f


def make(folder, file, files, side):
    n = side * side
    k = np.arange(n * file // files, n * (file + 1) // files, dtype=np.int64)
    p = k * factor(n) % n
    points = np.empty((len(k), 2), np.float32)
    for axis, place in enumerate((p // side, p % side)):
        points[:, axis] = place // BLOCK * (BLOCK + 1) + place % BLOCK
    np.save(f'{folder}/p-{file:03d}.npy', points)


def check(path, row, side):
    """Labels and first points of the clusters of a row of blocks. Each cluster must have one label."""
    n = side * side
    inverse = pow(factor(n), -1, n)
    labels = np.load(path, mmap_mode='r')
    assert len(labels) == n, f'{len(labels)} labels of {n} points'
    p = np.arange(row * BLOCK * side, (row + 1) * BLOCK * side, dtype=np.int64)
    k = p * inverse % n
    blocks = (BLOCK, side // BLOCK, BLOCK)
    found = labels[k].reshape(blocks)
    assert (found == found[:1, :, :1]).all(), f'a cluster of row {row} has several labels'
    return found[0, :, 0], k.reshape(blocks).min(axis=(0, 2))


def main(command, path, *numbers):
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        if command == 'make':
            files, side = map(int, numbers)
            list(pool.map(make, [path] * files, range(files), [files] * files, [side] * files))
            return
        (side,) = map(int, numbers)
        rows = side // BLOCK
        found = list(pool.map(check, [path] * rows, range(rows), [side] * rows))
    labels, first = (np.concatenate(parts) for parts in zip(*found))
    assert (labels[np.argsort(first)] == np.arange(len(labels))).all(), 'clusters are not numbered by their first point'
    print(f'right: {side * side} points, {len(labels)} clusters of {BLOCK * BLOCK}')


main(*sys.argv[1:])
