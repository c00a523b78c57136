#!/usr/bin/env python3
"""The builtin search beside random search, exhaustive search and the strategies of kernel_tuner.

  bench/search.py [--build BUILD] [--out FOLDER] [--no-kernel-tuner]

Replays the recorded spaces in bench/search/spaces, and some that are made up: no kernel is run, so
the load of the machine changes no number. Prints a table and writes search.svg and table.md into
FOLDER, and what was replayed there already is not replayed again. The first time it makes a virtual
environment below BUILD and installs kernel_tuner there. The strategies of kernel_tuner, which
replay the recorded spaces, take a quarter of an hour a space.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import venv

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNEL_TUNER = "kernel_tuner==1.5.0"
GOAL = math.log(1.02)
NEVER = math.inf
MADE_UP_SEEDS = range(1, 7)


def settled(curve):
    """Measurements after which the recommendation is within the goal for good."""
    since = NEVER
    for spent, regret in curve:
        if regret > GOAL:
            since = NEVER
        elif since == NEVER:
            since = spent
    return since


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def regret_at(curve, spent):
    """Of the recommendation after so many measurements; before the first, nothing is known."""
    known = [regret for at, regret in curve if at <= spent]
    return known[-1] if known else None


def make_environment(build):
    folder = build / "bench-venv"
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", KERNEL_TUNER], check=True)
    return python


def make_up(out):
    files = []
    for seed in MADE_UP_SEEDS:
        files.append(out / f"made-up-{seed}.json")
        script = ROOT / "bench/search/make_landscape.py"
        subprocess.run([sys.executable, script, files[-1], str(seed)], check=True)
    return files


def random_median(file):
    """Of all orders, not of 20 only: until half of them have met a configuration within the goal."""
    rows = json.loads(file.read_text())["rows"]
    means = [sum(times) / len(times) for _, _, times in rows if times]
    good = sum(mean <= min(means) + GOAL for mean in means)
    missed, spent = 1.0, 0
    while missed > 0.5:
        missed *= (len(means) - good - spent) / (len(means) - spent)
        spent += 1
    return spent


def measure(build, out, with_kernel_tuner):
    """Curves by space and strategy."""
    recorded = sorted((ROOT / "bench/search/spaces").glob("*.json"))
    jobs, medians = [], []
    for file in recorded + make_up(out):
        medians.append(random_median(file))
        ours = out / f"ours-{file.stem}.json"
        jobs.append((ours, [build / "bin/search_bench", ours, file]))
        if with_kernel_tuner and file in recorded:
            theirs = out / f"kernel-tuner-{file.stem}.json"
            script = ROOT / "bench/search/kernel_tuner_replay.py"
            jobs.append((theirs, [make_environment(build), script, theirs, file]))
    spaces = {}
    for result, command in jobs:
        if not result.exists():
            subprocess.run(command, check=True, stdout=sys.stderr)
        for each in json.loads(result.read_text()):
            space = spaces.setdefault(each["space"], {"configurations": 0, "strategies": {}})
            space["configurations"] = max(space["configurations"], each.get("configurations", 0))
            for strategy in each["strategies"]:
                name = strategy["strategy"]
                if result.name.startswith("kernel-tuner"):
                    name = "kernel_tuner " + name
                space["strategies"][name] = strategy
    for space, spent in zip(spaces.values(), medians):
        space["random_median"] = spent
    return spaces


def count_text(count):
    return "never" if count == NEVER else f"{count:.0f}"


def table(spaces):
    names = []
    for space in spaces.values():
        names += [name for name in space["strategies"] if name not in names]
    heads = [f"{name} ({space['configurations']})" for name, space in spaces.items()]
    text = "| strategy | " + " | ".join(heads) + " |\n| --- |" + " ---: |" * len(heads) + "\n"
    rows = ["| random, all orders | " +
            " | ".join(str(space["random_median"]) for space in spaces.values()) + " |"]
    for name in names:
        cells, known = [], []
        for space in spaces.values():
            strategy = space["strategies"].get(name)
            if strategy is None or not strategy["curves"] or strategy.get("failed"):
                cells.append("-")
                continue
            counts = [settled(curve) for curve in strategy["curves"]]
            reached = sum(count != NEVER for count in counts)
            known.append(median(counts))
            cells.append(f"{count_text(known[-1])} ({reached})")
        if known:
            rows.append(f"| {name} | " + " | ".join(cells) + " |")
    return text + "\n".join(rows) + "\n"


def polyline(points, colour, width):
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline fill="none" stroke="{colour}" stroke-width="{width}" points="{path}"/>\n'


def colour_of(name):
    return {"forge": "#c0392b", "random": "#2c3e50", "exhaustive": "#7f8c8d"}.get(name, "#9fc5e8")


def panel(name, space, left, top, width, height):
    """Median regret, in per cent and logarithmic, over measurements."""
    most, low, high = 120, 0.1, 100.0
    def place(spent, regret):
        per_cent = min(max(100 * (math.exp(regret) - 1), low), high)
        share = math.log(per_cent / low) / math.log(high / low)
        return left + width * spent / most, top + height * (1 - share)
    svg = f'<text x="{left}" y="{top - 8}" font-size="13">{name}, ' \
          f'{space["configurations"]} configurations</text>\n' \
          f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#ccc"/>\n'
    for per_cent in (0.1, 1, 2, 10, 100):
        _, y = place(0, math.log(1 + per_cent / 100))
        dash = ' stroke-dasharray="4 3"' if per_cent == 2 else ""
        svg += f'<line x1="{left}" x2="{left + width}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"{dash}/>\n' \
               f'<text x="{left - 6}" y="{y + 4:.1f}" font-size="10" text-anchor="end">{per_cent} %</text>\n'
    for spent in (0, 40, 80, 120):
        svg += f'<text x="{left + width * spent / most:.0f}" y="{top + height + 14}" font-size="10" ' \
               f'text-anchor="middle">{spent}</text>\n'
    shown = [each for each in space["strategies"] if "noise" not in each and "stop" not in each]
    for strategy in sorted(shown, key=lambda each: colour_of(each) != "#9fc5e8"):
        curves = space["strategies"][strategy]["curves"]
        points = []
        for spent in range(1, most + 1):
            values = [value for curve in curves if (value := regret_at(curve, spent)) is not None]
            if curves and len(values) == len(curves):
                points.append(place(spent, median(values)))
        svg += polyline(points, colour_of(strategy), 2.2 if colour_of(strategy) != "#9fc5e8" else 1)
    return svg


def plot(spaces):
    columns, width, height = 2, 360, 220
    rows = (len(spaces) + columns - 1) // columns
    svg = ""
    for index, (name, space) in enumerate(spaces.items()):
        svg += panel(name, space, 60 + (index % columns) * (width + 70),
                     60 + (index // columns) * (height + 60), width, height)
    legend = [("forge", "the builtin search"), ("random", "random search"),
              ("exhaustive", "exhaustive search, in order"), ("", "strategies of kernel_tuner")]
    for index, (name, words) in enumerate(legend):
        x = 60 + 200 * index
        svg += polyline([(x, 24), (x + 24, 24)], colour_of(name), 2) + \
            f'<text x="{x + 30}" y="28" font-size="12">{words}</text>\n'
    total = 60 + rows * (height + 60)
    svg += f'<text x="60" y="{total - 8}" font-size="11">measurements; how much slower than the best ' \
           "of all configurations the recommendation is, median of 20 seeds</text>\n"
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{60 + columns * (width + 70)}" ' \
           f'height="{total}" font-family="sans-serif">\n<rect width="100%" height="100%" ' \
           f'fill="white"/>\n{svg}</svg>\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--out", type=Path, default=ROOT / "build/bench-search")
    parser.add_argument("--no-kernel-tuner", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    spaces = measure(options.build.resolve(), options.out.resolve(), not options.no_kernel_tuner)
    text = table(spaces)
    (options.out / "table.md").write_text(text)
    (options.out / "search.svg").write_text(plot(spaces))
    print(text)


main()
