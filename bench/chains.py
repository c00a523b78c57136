#!/usr/bin/env python3
"""Real chains of which the end is known.

usage: bench/chains.py FORGE [--chains N]

A/A: a problem whose start kernel is its reference must stop at generation 0, N times. Ladder: a start
kernel that can climb four rungs, each 8 % faster than the last, from a reference on the lowest must end
on the highest. Prints what happened and how many were wrong; the exit status is the number of wrong ones.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent / "resolution"
GAIN = 1.08
RUNGS = 4
ELEMENTS = 200_000

TASK = """
name   = "{name}"
target = "cpu"
[signature]
dims    = ["n"]
inputs  = [{{ name = "x", dtype = "f32", shape = ["n"] }}]
outputs = [{{ name = "y", dtype = "f32", shape = ["n"] }}]
[reference]
run    = "reference/kernel.cpp"
source = ["reference/kernel.cpp"]
[judge]
oracle = "check/oracle.cpp"
author = "the benchmark"
[start]
path = "start/"
[goal]
ratio = 1.05
[budget]
hours    = 0.05
max_meta = 1
"""


def planted(permille):
    text = (HERE / "planted.cpp").read_text()
    return f"#define PLANTED_PERMILLE {permille}\n#define PLANTED_TAG 0\n" + text


def ladder_start():
    """Rung r does GAIN**(RUNGS - r) times the work of the highest."""
    extra = [round(1000 * (GAIN ** (RUNGS - rung) - 1)) for rung in range(RUNGS + 1)]
    values = ", ".join(str(rung) for rung in range(RUNGS + 1))
    table = ", ".join(str(each) for each in extra)
    head = ('#include "forge_args.h"\n'
            f"FORGE_TUNABLE(int, kRung, 0, {values});\n"
            f"static constexpr int kExtra[] = {{{table}}};\n"
            "#define PLANTED_PERMILLE (kExtra[kRung])\n#define PLANTED_TAG 0\n")
    return head + (HERE / "planted.cpp").read_text(), extra[0]


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make_task(folder, name, start, reference):
    task = folder / "tasks" / name
    write(task / "task.toml", TASK.format(name=name))
    write(task / "description.md", f"# {name}\n\n24 times `v = 0.75 v + 0.125` on each element.\n")
    groups = [{"name": group, "purpose": purpose} for group, purpose in
              [("typical", "normally distributed values"), ("extremes", "large magnitudes"),
               ("structure", "blocks of zeros")]]
    shape = {"name": "only", "dims": {"n": ELEMENTS}}
    write(task / "shapes.json", json.dumps({"groups": groups, "shapes": [shape]}))
    write(task / "start/kernel.cpp", start)
    write(task / "reference/kernel.cpp", reference)
    write(task / "check/oracle.cpp", (HERE / "oracle.cpp").read_text())
    return task


def evolve(forge, folder, task):
    done = subprocess.run([forge, "evolve", task, "--json"], cwd=folder, capture_output=True,
                          text=True, check=False)
    if done.returncode not in (0, 2):
        sys.exit(f"forge evolve failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def links_text(chain):
    texts = []
    for link in chain["links"]:
        ratio = link["ratio"]
        texts.append(f"{ratio['point']:.3f} [{ratio['low']:.3f}, {ratio['high']:.3f}]"
                     if ratio else "no ratio")
    return ", then ".join(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("forge")
    parser.add_argument("--chains", type=int, default=10)
    options = parser.parse_args()
    forge = os.path.abspath(options.forge)
    wrong = 0
    for number in range(options.chains):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            task = make_task(folder, "same", planted(0), planted(0))
            chain = evolve(forge, folder, task)
            gained = sum(link["gain"] for link in chain["links"])
            wrong += gained > 0
            print(f"A/A {number + 1}: {links_text(chain)}: {'WRONG' if gained else 'stopped at 0'}",
                  flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        start, lowest = ladder_start()
        task = make_task(folder, "ladder", start, planted(lowest))
        chain = evolve(forge, folder, task)
        last = max((link["generation"] for link in chain["links"] if link["gain"]), default=-1)
        kernel = folder / "tasks" / f"ladder-g{last + 1}" / "reference/kernel.cpp"
        at_top = last >= 0 and f"FORGE_TUNABLE(int, kRung, {RUNGS}," in kernel.read_text()
        wrong += not at_top
        print(f"ladder of {RUNGS} rungs of {GAIN}: {links_text(chain)}, stopped "
              f"({chain['stopped']}): {'at the top' if at_top else 'WRONG: below the top'}")
    print(f"wrong: {wrong} of {options.chains + 1}")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
