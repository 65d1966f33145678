"""Labels a directory of cases with scikit-learn.

Usage: sklearn_labels.py DIRECTORY

Reads DIRECTORY/cases.jsonl, one case per line: {"id", "eps", "minPts", "dim", "dtype"}, with the coordinates in
DIRECTORY/<id>.coords.
Writes DIRECTORY/<id>.labels (int32) and DIRECTORY/<id>.core (uint8), little-endian without a header. Prints
one JSON line per case, {"id", "error"}: error is null or scikit-learn's message. The first line has the version.
"""

import json
import os
import sys
import warnings

import numpy as np
import sklearn
from sklearn.cluster import DBSCAN


def main(directory):
    print(json.dumps({"version": sklearn.__version__}))
    # Some cases have overflowing squares.
    warnings.simplefilter("ignore")
    with open(os.path.join(directory, "cases.jsonl"), encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    for case in cases:
        base = os.path.join(directory, str(case["id"]))
        error = None
        try:
            points = np.fromfile(base + ".coords", case["dtype"]).reshape(-1, case["dim"])
            fitted = DBSCAN(eps=float(case["eps"]), min_samples=int(case["minPts"]), algorithm="kd_tree").fit(points)
            core = np.zeros(len(points), dtype="u1")
            core[fitted.core_sample_indices_] = 1
            fitted.labels_.astype("<i4").tofile(base + ".labels")
            core.tofile(base + ".core")
        except Exception as problem:  # reported per case
            error = f"{type(problem).__name__}: {str(problem).splitlines()[0]}"
        print(json.dumps({"id": case["id"], "error": error}))


main(sys.argv[1])
