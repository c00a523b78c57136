#!/usr/bin/env python3
"""Replays recorded spaces through every strategy of kernel_tuner, in its own simulation mode.

  kernel_tuner_replay.py OUT.json SPACE.json...

Run by bench/search.py, which makes the virtual environment with kernel_tuner. Its simulation mode
plays a cache file back: each configuration has its recorded value, without noise. A strategy's
recommendation is the best of what it measured, or the start. Writes the same curves as search_bench.
"""
import contextlib
import io
import json
import math
import os
import random
import signal
import statistics
import sys
import tempfile

import numpy

import kernel_tuner
from kernel_tuner.interface import strategy_map
from kernel_tuner.runners.simulation import SimulationRunner

SEEDS = 20
BUDGET = 250
# For one run of a strategy: some go on asking for what they know already.
CPU_SECONDS = 4
CPU_SECONDS_OF = {"bayes_opt": 30, "skopt": 60}


class OutOfTime(Exception):
    pass


def out_of_time(*_):
    raise OutOfTime


def number(text):
    if text in ("true", "false"):
        return int(text == "true")
    try:
        return int(text, 0)
    except ValueError:
        return None


def values_of(parameter):
    """Numbers as they are; names by their place."""
    numbers = [number(text) for text in parameter["values"]]
    return list(range(len(numbers))) if None in numbers else numbers


def restriction(text):
    text = text.replace("&&", " and ").replace("||", " or ").replace("!=", "<>")
    return text.replace("!", " not ").replace("<>", "!=").replace("true", "1").replace("false", "0")


class Recorded:
    def __init__(self, file):
        table = json.load(open(file))
        self.name = table["name"]
        self.parameters = {each["name"]: values_of(each) for each in table["parameters"]}
        self.restrictions = [restriction(text) for text in table["requirements"]]
        columns = list(self.parameters.values())
        self.truth = {}
        self.failures = []
        for point, _, times in table["rows"]:
            values = tuple(columns[i][place] for i, place in enumerate(point))
            if times:
                self.truth[values] = statistics.fmean(times)
            else:
                self.failures.append(values)
        self.best = min(self.truth.values())
        self.start = 0.0  # by definition

    def regret(self, values):
        return self.truth[values] - self.best


def write_cache(recorded, folder):
    cache = {}
    names = list(recorded.parameters)
    for values in list(recorded.truth) + recorded.failures:
        entry = dict(zip(names, values))
        failed = values not in recorded.truth
        entry["time"] = "InvalidConfig" if failed else math.exp(recorded.truth[values])
        if failed:
            entry["__error__"] = "InvalidConfig"
        else:
            entry["times"] = [entry["time"]]
        for key in ("compile_time", "verification_time", "benchmark_time", "strategy_time",
                    "framework_time"):
            entry[key] = 0.0
        entry["timestamp"] = "2026-01-01T00:00:00"
        cache[",".join(map(str, values))] = entry
    content = {"device_name": "recorded", "kernel_name": recorded.name, "problem_size": [1, 1],
               "tune_params_keys": names, "tune_params": recorded.parameters, "objective": "time",
               "cache": cache}
    path = os.path.join(folder, "cache.json")
    with open(path, "w") as file:
        json.dump(content, file)
    return path


def run(recorded, strategy, seed):
    """The configurations that the strategy measured, in order."""
    random.seed(seed)
    numpy.random.seed(seed)
    order = []
    original = SimulationRunner.run

    def watched(self, space, options):
        space = [tuple(element) for element in space]
        results = original(self, space, options)
        for element, result in zip(space, results):
            if result is not None and element not in order:
                order.append(element)
        return results

    SimulationRunner.run = watched
    signal.signal(signal.SIGPROF, out_of_time)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS_OF.get(strategy, CPU_SECONDS))
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            kernel_tuner.tune_kernel(
                recorded.name, "int nothing;", (1, 1), [], recorded.parameters, lang="C",
                restrictions=recorded.restrictions or None, strategy=strategy,
                strategy_options={"max_fevals": min(BUDGET, len(recorded.truth))},
                simulation_mode=True, cache=write_cache(recorded, folder), quiet=True)
    except OutOfTime:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        SimulationRunner.run = original
    return order


def curve_of(recorded, order):
    best, recommended, curve, spent = 0.0, recorded.start - recorded.best, [], 0
    for values in order:
        spent += 1
        if spent > BUDGET:
            break
        if recorded.truth.get(values, math.inf) < best:
            best, recommended = recorded.truth[values], recorded.regret(values)
        curve.append((spent, round(recommended, 5)))
    return curve or [(BUDGET, round(recommended, 5))]


def thinned(curve):
    kept = [point for i, point in enumerate(curve)
            if i == 0 or point[1] != curve[i - 1][1] or i + 1 == len(curve)]
    return kept


def main():
    out, files = sys.argv[1], sys.argv[2:]
    known = json.load(open(out)) if os.path.exists(out) else []
    spaces = {each["space"]: each for each in known}
    for file in files:
        recorded = Recorded(file)
        space = spaces.setdefault(recorded.name, {"space": recorded.name, "strategies": []})
        done = {each["strategy"] for each in space["strategies"]}
        for name in strategy_map:
            if name in done or name == "brute_force":
                continue
            curves, failed = [], None
            for seed in range(1, SEEDS + 1):
                try:
                    curves.append(thinned(curve_of(recorded, run(recorded, name, seed))))
                except Exception as error:  # whatever a strategy dies of is its result
                    failed = f"{type(error).__name__}: {str(error)[:200]}"
                    break
            space["strategies"].append({"strategy": name, "curves": curves, "failed": failed})
            print(recorded.name, name, failed or
                  f"{statistics.median(c[-1][0] for c in curves):.0f} measurements, then "
                  f"{100 * (math.exp(statistics.median(c[-1][1] for c in curves)) - 1):.2f} %",
                  flush=True)
            with open(out, "w") as file_out:
                json.dump(list(spaces.values()), file_out)


main()
