# Times dbscan::dbscan of R on the points of one file.
#
# Usage: r_time.R POINTS.f64 DIM EPS MIN_PTS LABELS
#
# Prints {"version"} when it is ready. Then, for each line on standard input, clusters once, writes the labels to LABELS
# (int32, little-endian and bare; 0 is noise), and prints {"ms"}: wall milliseconds of `dbscan` alone.
library(dbscan)
args <- commandArgs(TRUE)
dim <- as.integer(args[2])
values <- readBin(args[1], "double", file.info(args[1])$size / 8, endian = "little")
points <- matrix(values, ncol = dim, byrow = TRUE)
rm(values)
# Loads what a first run loads.
invisible(dbscan::dbscan(points[seq_len(min(1000, nrow(points))), , drop = FALSE], as.double(args[3]), as.integer(args[4])))
cat(sprintf("{\"version\": \"%s\"}\n", packageVersion("dbscan")))
flush(stdout())
input <- file("stdin", "r")
while (length(readLines(input, 1)) > 0) {
  started <- proc.time()[["elapsed"]]
  clusters <- dbscan::dbscan(points, as.double(args[3]), as.integer(args[4]))$cluster
  ms <- (proc.time()[["elapsed"]] - started) * 1000
  writeBin(as.integer(clusters), args[5], endian = "little")
  cat(sprintf("{\"ms\": %f}\n", ms))
  flush(stdout())
}
