"""Clusters latitudes and longitudes with scikit-learn's ball_tree: sklearn_cities.py FILE EPS_METRES MIN_PTS LABELS

FILE holds float64 degrees, n × 2, raw. Prints {"version"} when it is ready. Then, for each line on standard input,
fits once, writes the labels to LABELS (int32, little-endian and bare), and prints {"ms"}.
"""

import json
import sys
import time

import numpy as np
import sklearn
from sklearn.cluster import DBSCAN

degrees = np.fromfile(sys.argv[1]).reshape(-1, 2)
eps = float(sys.argv[2]) / 6371008.8
print(json.dumps({"version": sklearn.__version__}), flush=True)
for _ in sys.stdin:
    started = time.perf_counter()
    model = DBSCAN(eps=eps, min_samples=int(sys.argv[3]), metric="haversine", algorithm="ball_tree")
    labels = model.fit(np.radians(degrees)).labels_
    ms = (time.perf_counter() - started) * 1000
    labels.astype("<i4").tofile(sys.argv[4])
    print(json.dumps({"ms": ms}), flush=True)
