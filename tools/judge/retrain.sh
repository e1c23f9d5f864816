#!/bin/sh
# Train the judge twice from the one that ships and write both, in two parts each, under OUT.
# usage: tools/judge/retrain.sh OUT [SECONDS]
# Needs a GPU and PyTorch, transformers, onnx and onnxruntime; two runs at a time, six minutes on one H200.
set -e
out=$1 limit=${2:-300}
here=$(dirname "$0") package=$(dirname "$0")/../../src
data=$(mktemp -d)
export PYTHONPATH=$package
python3 "$here/generate.py" --data "$here/data" --out "$data"
python3 "$here/everyday.py" --out "$data" --each 10
cp "$here"/data/*.xz "$data"
run() {
    python3 "$here/train.py" --data "$data" --out "$out/$1" --epochs 4 --none 0.6 --limit "$limit" \
        --base "$package/commonplace/providers/judge/models/judge-int8.onnx" \
        --tokenizer "$package/commonplace/providers/embed/models/tokenizer.json" \
        --lr "$2" --seed "$3" --hand "$4" >"$out/$1.log" 2>&1
}
mkdir -p "$out"
run A 8e-5 11 6 &
first=$!
run B 6e-5 12 4
wait $first
