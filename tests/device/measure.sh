#!/bin/bash
# On a host with a GPU: how often a kernel beside itself comes out different, and the shipped problem.
#   measure.sh FORGE OUT [COMPARISONS]
# FORGE: the program, with forge-worker beside it. OUT: a folder for results; a comparison is one
# file. Run from the root of the source tree. Nothing is built; nvcc and PyTorch must be there.
set -u
forge=$1 out=$2 comparisons=${3:-8}
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# saxpy at about 4, 12 and 29 us on an H200.
cp -r tests/tasks/saxpy_cuda "$work/saxpy_aa"
sed -i 's/"saxpy_cuda"/"saxpy_aa"/' "$work/saxpy_aa/task.toml"
python3 - "$work/saxpy_aa/shapes.json" <<'PYTHON'
import json, sys
with open(sys.argv[1]) as file:
    shapes = json.load(file)
shapes["shapes"] = [{"name": name, "dims": {"n": n}, "scalars": {"a": 1.5}}
                    for name, n in (("tiny", 65536), ("middle", 3000000), ("large", 8000000))]
with open(sys.argv[1], "w") as file:
    json.dump(shapes, file)
PYTHON

nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,clocks_throttle_reasons.active \
  --format=csv | tee "$out/device.csv"
for ((i = 1; i <= comparisons; ++i)); do
  begin=$SECONDS
  "$forge" judge "$work/saxpy_aa" "$work/saxpy_aa/reference/saxpy.cu" --json \
    > "$out/aa-$i.json" 2> "$out/aa-$i.log"
  echo "comparison $i: $((SECONDS - begin)) s"
done
for ((i = 1; i <= 2; ++i)); do
  begin=$SECONDS
  "$forge" judge tasks/rmsnorm tasks/rmsnorm/start/kernel.cu 2>&1 | tee "$out/rmsnorm-$i.log"
  echo "rmsnorm: $((SECONDS - begin)) s"
done

python3 - "$out" <<'PYTHON' | tee "$out/summary.txt"
import glob, json, sys
for path in sorted(glob.glob(sys.argv[1] + "/aa-*.json")):
    try:
        with open(path) as file:
            result = json.load(file)
        ratio = result["ratio"]
        shapes = ", ".join("%s %.4f" % (s["shape"], s["ratio"]["point"]) for s in result["shapes"])
        print("%.4f [%.4f, %.4f] %s; %s"
              % (ratio["point"], ratio["low"], ratio["high"], result["comparison"], shapes))
    except (ValueError, KeyError, TypeError) as error:
        print("%s: %r" % (path, error))
PYTHON
