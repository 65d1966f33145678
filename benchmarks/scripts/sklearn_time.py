"""Times scikit-learn's DBSCAN on the points of one file.

Usage: sklearn_time.py POINTS.npy EPS MIN_PTS LABELS [METRIC]

With the metric haversine, points are degrees and eps is radians. Euclidean points have a kd_tree, others a ball_tree.
Prints {"version"} when it is ready. Then, for each line on standard input, fits once, writes the labels to LABELS
(int32, little-endian and bare), and prints {"ms"}: wall milliseconds of `fit` alone, of degrees with their conversion.
"""

import json
import sys
import time

import numpy as np
import sklearn
from sklearn.cluster import DBSCAN


def main(points_file, eps, min_pts, labels_file, metric="euclidean"):
    points = np.load(points_file)
    algorithm = "kd_tree" if metric == "euclidean" else "ball_tree"

    def fit(some):
        model = DBSCAN(eps=float(eps), min_samples=int(min_pts), metric=metric, algorithm=algorithm)
        return model.fit(np.radians(some) if metric == "haversine" else some).labels_

    # Loads what a first fit loads.
    fit(points[:1000])
    print(json.dumps({"version": sklearn.__version__}), flush=True)
    for _ in sys.stdin:
        started = time.perf_counter()
        labels = fit(points)
        ms = (time.perf_counter() - started) * 1000
        labels.astype("<i4").tofile(labels_file)
        print(json.dumps({"ms": ms}), flush=True)


main(*sys.argv[1:])
