"""Times scikit-learn's DBSCAN on the points of one file.

Usage: sklearn_time.py POINTS.npy EPS MIN_PTS LABELS

Prints {"version"} when it is ready. Then, for each line on standard input, fits once, writes the labels to LABELS
(int32, little-endian and bare), and prints {"ms"}: wall milliseconds of `fit` alone.
"""

import json
import sys
import time

import numpy as np
import sklearn
from sklearn.cluster import DBSCAN


def main(points_file, eps, min_pts, labels_file):
    points = np.load(points_file)
    # Loads what a first fit loads.
    DBSCAN(eps=eps, min_samples=min_pts, algorithm="kd_tree").fit(points[:1000])
    print(json.dumps({"version": sklearn.__version__}), flush=True)
    for _ in sys.stdin:
        dbscan = DBSCAN(eps=eps, min_samples=min_pts, algorithm="kd_tree")
        started = time.perf_counter()
        dbscan.fit(points)
        ms = (time.perf_counter() - started) * 1000
        dbscan.labels_.astype("<i4").tofile(labels_file)
        print(json.dumps({"ms": ms}), flush=True)


main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
