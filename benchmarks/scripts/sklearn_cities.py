"""Clusters latitudes and longitudes with scikit-learn's ball_tree: sklearn_cities.py FILE.npy EPS_METRES MIN_PTS OUT

FILE holds float64 degrees, n × 2, raw. Prints the milliseconds of each run; writes the labels of the last to OUT.
"""

import sys
import time

import numpy as np
from sklearn.cluster import DBSCAN

degrees = np.fromfile(sys.argv[1]).reshape(-1, 2)
eps = float(sys.argv[2]) / 6371008.8
for line in sys.stdin:
    started = time.perf_counter()
    model = DBSCAN(eps=eps, min_samples=int(sys.argv[3]), metric="haversine", algorithm="ball_tree")
    labels = model.fit(np.radians(degrees)).labels_
    print((time.perf_counter() - started) * 1000, flush=True)
labels.astype("<i4").tofile(sys.argv[4])
