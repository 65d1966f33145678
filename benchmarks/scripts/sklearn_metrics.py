"""Labels many small sets with scikit-learn, in several metrics and with weights.

Usage: sklearn_metrics.py DIRECTORY

Reads DIRECTORY/sets.jsonl, one set per line: {"n", "dim", "metric", "eps", "minPts", "hasWeights"}, and their float64
values from DIRECTORY/values.bin, in order: n * dim coordinates, then n weights if there are any. Haversine takes
radians. Writes DIRECTORY/labels.bin, n int32 labels a set, and prints one JSON line per set: whether a pair is within
rounding of eps, and whether a sum of weights is within rounding of minPts. The first line has the version.

Metrics run with algorithm="brute", the Euclidean one with "kd_tree": scikit-learn's brute force computes Euclidean
distances by matrix products, which round differently.
"""

import json
import math
import os
import sys

import numpy as np
import sklearn
from sklearn.cluster import DBSCAN
from sklearn.metrics import pairwise_distances



def is_close(distances, eps, metric):
    """Whether distances are so close to eps that rounding may decide."""
    if metric != "haversine":
        return np.abs(distances - eps) <= 1e-12
    # Chords of the angles: docs/contract.md, "Other metrics".
    chord = 2 * math.sin(0.5 * eps)
    return np.abs(2 * np.sin(0.5 * distances) - chord) <= 2**-48 * (1 + chord)



def main(directory):
    print(json.dumps({"version": sklearn.__version__}))
    values = np.fromfile(os.path.join(directory, "values.bin"))
    at = 0
    with open(os.path.join(directory, "sets.jsonl"), encoding="utf-8") as lines:
        sets = [json.loads(line) for line in lines]
    with open(os.path.join(directory, "labels.bin"), "wb") as out:
        for one in sets:
            n, dim, metric, eps, min_pts = one["n"], one["dim"], one["metric"], one["eps"], one["minPts"]
            points = values[at : at + n * dim].reshape(n, dim)
            at += n * dim
            weights = None
            if one["hasWeights"]:
                weights = values[at : at + n]
                at += n
            algorithm = "kd_tree" if metric == "euclidean" else "brute"
            model = DBSCAN(eps=eps, min_samples=min_pts, metric=metric, algorithm=algorithm)
            out.write(model.fit(points, sample_weight=weights).labels_.astype("<i4").tobytes())
            distances = pairwise_distances(points, metric=metric)
            # The diagonal is exact, whatever the metric makes of it.
            np.fill_diagonal(distances, 0)
            is_tie = bool(np.any(is_close(distances, eps, metric)))
            is_close_sum = False
            if weights is not None:
                near = distances <= eps
                sums = [math.fsum(weights[row]) for row in near]
                # Sums of multiples of 1/1024 are exact, in any order.
                is_exact = np.all(weights * 1024 == np.round(weights * 1024))
                is_close_sum = not is_exact and any(abs(total - min_pts) <= 1e-12 for total in sums)
            print(json.dumps({"isTie": is_tie, "isCloseSum": bool(is_close_sum)}))


main(sys.argv[1])
