#!/bin/bash
# One visit to a machine with GPUs, each of which trains with a seed of its own: visit.sh FILES OUT VISIT SEEDS [options of train.py]
# FILES holds node-s.xz (Node's binary), ict-face.bin.xz, render.mjs (lab/train/faces/bundle.mjs) and backgrounds.npz. It may hold
# SEED.pt, weights to begin with, and state-SEED.pt, to go on from. The heads of earlier visits are used while the machine is kept.
set -e
files=$(realpath "$1") out=$2 visit=$3 seeds=$4 work=/tmp/landmark-visit here=$(dirname "$(realpath "$0")")
shift 4
mkdir -p $work
[ -f $work/ict-face.bin ] || { xz -dc "$files/node-s.xz" >$work/node && chmod +x $work/node && xz -dc "$files/ict-face.bin.xz" >$work/model && mv $work/model $work/ict-face.bin; }
workers=$((($(nproc) - $(wc -w <<<"$seeds")) / $(wc -w <<<"$seeds")))
gpu=0
for seed in $seeds; do
  from=()
  [ ! -f "$files/$seed.pt" ] || from=(--from-model "$files/$seed.pt")
  for state in "$files/state-$seed.pt" $work/state-$seed.pt; do [ ! -f "$state" ] || from=(--resume "$state"); done
  mkdir -p "$out/$seed"
  CUDA_VISIBLE_DEVICES=$gpu python3 "$here/train.py" --renderer "nice -n 10 $work/node $files/render.mjs $work/ict-face.bin" --workers $workers \
    --backgrounds "$files/backgrounds.npz" --out "$out/$seed" --seed $((10 * visit + seed)) "${from[@]}" "$@" &
  gpu=$((gpu + 1))
  [ $gpu -gt 1 ] || sleep 30 # the first renders the heads that only measure
done
wait
for seed in $seeds; do cp "$out/$seed/state.pt" $work/state-$seed.pt; done
