#!/usr/bin/env python3
"""How small a difference forge judge tells apart on this machine, and how often it errs.

usage: bench/resolution.py FORGE [--comparisons N] [--planted N] [--size NAME] [--permille N]
                           [--out FILE]

Kernels of about 50 us and 2 ms are compared with copies of themselves (A/A) and with copies that do
20 and 50 thousandths of their work twice. What the planted slow-downs really are is the trimmed
mean over all comparisons of one kind. Beside it: the medians and minima of 100 calls one after another, which
call a difference of more than 1 % a difference.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent / "resolution"
INCLUDE = Path(__file__).resolve().parent.parent / "include"
SIZES = {"50 us": 50_000, "2 ms": 2_000_000}  # elements, corrected by calibration
MARGIN = 0.01

TASK = """
name   = "planted"
target = "cpu"
[signature]
dims    = ["n"]
inputs  = [{ name = "x", dtype = "f32", shape = ["n"] }]
outputs = [{ name = "y", dtype = "f32", shape = ["n"] }]
[reference]
run    = "reference/planted.cpp"
source = ["reference/planted.cpp"]
[judge]
oracle = "check/oracle.cpp"
author = "the benchmark"
[goal]
ratio = 1.05
"""


def kernel_text(permille, tag):
    text = (HERE / "planted.cpp").read_text()
    return f"#define PLANTED_PERMILLE {permille}\n#define PLANTED_TAG {tag}\n" + text


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make_task(folder, elements):
    write(folder / "task.toml", TASK)
    write(folder / "description.md", "# planted\n\n24 times `v = 0.75 v + 0.125` on each element.\n")
    groups = [{"name": name, "purpose": purpose} for name, purpose in
              [("typical", "normally distributed values"), ("extremes", "large magnitudes"),
               ("structure", "blocks of zeros")]]
    shape = {"name": "only", "dims": {"n": elements}}
    write(folder / "shapes.json", json.dumps({"groups": groups, "shapes": [shape]}))
    write(folder / "reference/planted.cpp", kernel_text(0, 0))
    write(folder / "check/oracle.cpp", (HERE / "oracle.cpp").read_text())


class Sequential:
    """The sequential timings, from shared objects built with the flags of the judged kernels."""

    def __init__(self, folder):
        self.folder = folder
        header = "struct Dims { long n; };\nstruct Args { const float* x; float* y; Dims dims; };\n"
        write(folder / "forge_args.h", header)
        self.program = folder / "sequential"
        subprocess.run(["g++", "-O2", "-std=c++20", HERE / "sequential.cc", "-o", self.program,
                        "-ldl"], check=True)

    def build(self, permille, tag):
        source = self.folder / f"planted_{permille}_{tag}.cpp"
        write(source, kernel_text(permille, tag))
        library = source.with_suffix(".so")
        subprocess.run(["g++", "-O3", "-march=native", "-std=c++20", "-shared", "-fPIC",
                        f"-I{self.folder}", source, "-o", library], check=True)
        return library

    def compare(self, first, second, elements):
        cpu = max(os.sched_getaffinity(0))
        lines = subprocess.run(["taskset", "-c", str(cpu), self.program, first, second,
                                str(elements), "100"], check=True, capture_output=True,
                               text=True).stdout.split("\n")
        (median_a, min_a), (median_b, min_b) = ([float(x) for x in line.split()]
                                                for line in lines[:2])
        return median_a / median_b, min_a / min_b


def call_of(ratio):
    return "slower" if ratio < 1 - MARGIN else "faster" if ratio > 1 + MARGIN else "same"


def judge(forge, task, kernel):
    began = time.monotonic()
    done = subprocess.run([forge, "judge", task, kernel, "--json"], capture_output=True, text=True,
                          check=False)
    seconds = time.monotonic() - began
    if done.returncode not in (0, 2):
        sys.exit(f"forge judge failed: {done.stderr}")
    answer = json.loads(done.stdout)
    if answer["verdict"] != "passed":
        return "no_verdict", None, seconds, answer
    return answer["comparison"], answer["ratio"]["point"], seconds, answer


def kernel_ns(answer):
    return next(t["median_ns"] for t in answer["times"]
                if t["label"] == "candidate" and t["cache"] == "cold")


def calibrate(sequential):
    """Elements for calls of the wanted time."""
    plain = sequential.build(0, 1)
    sizes = {}
    for name, elements in SIZES.items():
        wanted = 50e3 if name == "50 us" else 2e6
        out = subprocess.run([sequential.program, plain, plain, str(elements), "100"], check=True,
                             capture_output=True, text=True).stdout.split()
        sizes[name] = max(1000, int(elements * wanted / float(out[1])) // 1000 * 1000)
    return sizes


def trimmed(values):
    """Mean without the lowest and highest fifth, and its standard error (Tukey and McLaughlin)."""
    ordered = sorted(values)
    cut = len(ordered) // 5
    kept = ordered[cut:len(ordered) - cut]
    if len(kept) < 2:
        return kept[0] if kept else math.nan, math.nan
    winsorised = [min(max(value, kept[0]), kept[-1]) for value in ordered]
    error = statistics.stdev(winsorised) / (len(kept) / len(ordered) * math.sqrt(len(ordered)))
    return statistics.fmean(kept), error


def share(count, of):
    return f"{100 * count / of:.1f} %" if of else "-"


def study(forge, folder, options, log):
    sequential = Sequential(folder / "sequential_build")
    rows = []
    for name, elements in calibrate(sequential).items():
        if options.size not in (None, name):
            continue
        task = folder / f"planted_{elements}"
        make_task(task, elements)
        base = sequential.build(0, 0)
        for permille in (0, 20, 50):
            if options.permille not in (None, permille):
                continue
            kernel = folder / f"kernel_{elements}_{permille}.cpp"
            write(kernel, kernel_text(permille, 1))
            variant = sequential.build(permille, 1)
            judge(forge, task, kernel)  # builds, aligns: what is measured is comparing
            calls = {"judge": [], "medians": [], "minima": []}
            logs, seconds, sequential_seconds, own_ns = [], [], [], 0.0
            for _ in range(options.comparisons if permille == 0 else options.planted):
                said, ratio, took, answer = judge(forge, task, kernel)
                calls["judge"].append(said)
                seconds.append(took)
                if ratio is not None:
                    logs.append(math.log(ratio))
                    own_ns = kernel_ns(answer)
                began = time.monotonic()
                median, minimum = sequential.compare(base, variant, elements)
                sequential_seconds.append(time.monotonic() - began)
                calls["medians"].append(call_of(median))
                calls["minima"].append(call_of(minimum))
            row = {"kernel": name, "ns": own_ns, "permille": permille, "calls": calls,
                   "mean": math.exp(trimmed(logs)[0]), "error": trimmed(logs)[1],
                   "seconds": statistics.median(seconds),
                   "sequential_seconds": statistics.median(sequential_seconds)}
            rows.append(row)
            print(line(row, "judge"), file=log, flush=True)
            print(line(row, "medians"), file=log, flush=True)
            print(line(row, "minima"), file=log, flush=True)
    return rows


def line(row, method):
    calls = row["calls"][method]
    n = len(calls)
    count = {what: calls.count(what) for what in ("slower", "faster", "same", "no_verdict")}
    truth = "A/A" if row["permille"] == 0 else f"{row['permille'] / 10:.0f} % more work"
    seconds = row["seconds"] if method == "judge" else row["sequential_seconds"]
    return (f"| {row['kernel']} ({row['ns'] / 1000:.0f} us) | {truth} | "
            f"{row['mean']:.4f} +- {row['error']:.4f} | {method} | {n} | "
            f"{share(count['slower'], n)} | {share(count['faster'], n)} | "
            f"{share(count['same'], n)} | {share(count['no_verdict'], n)} | {seconds:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("forge")
    parser.add_argument("--comparisons", type=int, default=300, help="A/A comparisons a kernel")
    parser.add_argument("--planted", type=int, default=300, help="comparisons a planted slow-down")
    parser.add_argument("--size", choices=SIZES, help="only kernels of this size")
    parser.add_argument("--permille", type=int, choices=(0, 20, 50),
                        help="only this much planted work")
    parser.add_argument("--out", help="where the table is written as well")
    options = parser.parse_args()
    print("| kernel | truth | reference over kernel, mean +- its error | method | comparisons "
          "| slower | faster | same | no verdict | seconds each |\n"
          "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        rows = study(os.path.abspath(options.forge), Path(folder), options, sys.stdout)
    if options.out:
        Path(options.out).write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
