#!/usr/bin/env bash
# Measures runs on one and on several GPUs of a host with the packed command, and checks the labels of each.
#
#   severalGpus.sh DIR STEP…      steps: files spots3d lattice spots2d
#
# DIR holds points and labels, which each step removes. Variables: EPSBALL, the command (epsball); GPUS, the numbers of
# GPUs (1 2); POINTS, MIDDLE, LARGE, SIDES: the sizes, for a trial with small ones. Prints lines of JSON and of text.
set -euo pipefail

epsball=${EPSBALL:-epsball}
dir=${1:?a folder for points and labels}
shift
read -r -a gpus <<<"${GPUS:-1 2}"
cores=$(nproc)
mkdir -p "$dir"

say() { printf '== %s\n' "$*"; }

# radius N DIM: of spots, with minPts 10.
radius() { awk -v n="$1" -v d="$2" 'BEGIN {printf "%.9g", (d == 2 ? 0.94 : 0.5113) / n ^ (1 / d)}'; }

# same FILE…: fails unless all files are equal.
same() {
  local first=$1 file
  for file in "${@:2}"; do cmp "$first" "$file"; done
  say "the same labels: $*"
}

# limited COMMAND…: runs it. Returns 1 if a limit of the device refuses the points; any other failure ends the script.
limited() {
  if "$@" 2>"$dir/errors.txt"; then return 0; fi
  cat "$dir/errors.txt" >&2
  grep -q 'asked [0-9]*, allowed' "$dir/errors.txt" && return 1
  say "failed: $*" >&2
  exit 1
}

# Files to labels. One billion float32 points and their run need about 45 GB in DIR.
files() {
  local n=${POINTS:-1000000000} count hashes=()
  for count in "${gpus[@]}"; do
    say "files, $n points, $count GPUs"
    $epsball scale-out "$dir/files" --points "$n" --precision float32 --eps 0.05 --min-pts 10 \
      --task-memory 1024 --concurrency "$cores" --gpus "$count"
    hashes+=("$(sha256sum <"$dir/files/labels.npy")")
  done
  [ "$(printf '%s\n' "${hashes[@]}" | sort -u | wc -l)" = 1 ] || { say "labels differ: ${hashes[*]}"; exit 1; }
  say "the same labels on each number of GPUs"
  rm -rf "$dir/files"
  say "100 million at most, compared with one run of pds"
  $epsball scale-out "$dir/files" --points "$((n < 100000000 ? n : 100000000))" --precision float32 --eps 0.15 \
    --min-pts 10 --task-memory 1024 --concurrency "$cores" --gpus "${gpus[-1]}" --compare
  rm -rf "$dir/files"
}

# memory NAME SPEC N DIM: a set in memory, in one process and in one for each GPU, compared with pds.
memory() {
  local name=$1 spec=$2 n=$3 dim=$4 count labels=("$dir/pds.npy")
  local points=$dir/$name.npy params
  params="--eps $(radius "$n" "$dim") --min-pts 10"
  $epsball generate "$spec:n=$n,dim=$dim,seed=1" --out "$points"
  say "$name, pds"
  $epsball cluster "$points" $params --algorithm pds --backend workers --threads "$cores" --json --out "$dir/pds.npy"
  say "$name, one process"
  if limited $epsball cluster "$points" $params --backend gpu --json --out "$dir/one.npy"; then
    labels+=("$dir/one.npy")
  fi
  for count in "${gpus[@]}"; do
    say "$name, $count GPUs"
    $epsball cluster "$points" $params --gpus "$count" --json --out "$dir/$count.npy"
    labels+=("$dir/$count.npy")
  done
  same "${labels[@]}"
  rm -f "$points" "${labels[@]}"
}

spots3d() { memory spots3d spots "${MIDDLE:-100000000}" 3; }

spots2d() { memory spots2d spots "${LARGE:-400000000}" 2; }

# Cubes whose side is a multiple of 100: all clusters have a million points, and there is no noise.
lattice() {
  local side count n clusters line
  for side in ${SIDES:-500 800}; do
    n=$((side ** 3))
    clusters=$(((side / 100) ** 3))
    $epsball generate "lattice3d:n=$n" --out "$dir/lattice.npy"
    for how in "--backend gpu" $(printf -- '--gpus=%s ' "${gpus[@]}"); do
      say "lattice, $n points, $how"
      # The points may exceed the buffer limit of one process. The error names the limit.
      limited $epsball cluster "$dir/lattice.npy" --eps 1 --min-pts 2 $how --json >"$dir/line.json" || continue
      line=$(cat "$dir/line.json")
      printf '%s\n' "$line"
      [[ $line == *"\"clusters\":$clusters,\"noise\":0,"* ]] || { say "expected $clusters clusters, no noise"; exit 1; }
      [[ $line == *'"size":1000000,'* ]] || { say 'expected clusters of a million points'; exit 1; }
    done
    rm -f "$dir/lattice.npy"
  done
}

say "$cores processors, $(ls /dev | grep -c '^nvidia[0-9]' || true) GPUs, $(df -h --output=avail "$dir" | tail -1) free"
for step in "$@"; do
  say "step $step"
  "$step"
done
