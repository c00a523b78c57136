#!/usr/bin/env python3
"""Turns what `forge tune --exhaustive` recorded of a space into a table for replaying.

  make_table.py OUT.json NAME DESCRIPTION TUNING.json RECORDED.jsonl

RECORDED.jsonl is the file below tunings/ in the cache, TUNING.json the one that forge tune left
beside the best kernel. A trial's candidates share the noise of the start that they ran beside, so
each value is what is left when the trial's common part is taken out:

  value(configuration, trial) = truth(configuration) + shared(trial) + own(configuration, trial)

fitted by turns with medians, which a disturbed trial in four does not move. What is left over is
kept as the noise to replay with.
"""
import json
import math
import statistics
import sys


def median_fit(cells, rounds=50):
    """cells: {(configuration, trial): value} -> truth, shared"""
    by_configuration, by_trial = {}, {}
    for (configuration, trial), value in cells.items():
        by_configuration.setdefault(configuration, []).append((trial, value))
        by_trial.setdefault(trial, []).append((configuration, value))
    shared = dict.fromkeys(by_trial, 0.0)
    truth = {}
    for _ in range(rounds):
        for configuration, values in by_configuration.items():
            truth[configuration] = middle(value - shared[trial] for trial, value in values)
        for trial, values in by_trial.items():
            shared[trial] = middle(value - truth[configuration] for configuration, value in values)
        # The start's own truth is 0: trials are as often above as below.
        level = statistics.median(shared.values())
        for trial in shared:
            shared[trial] -= level
    for configuration, values in by_configuration.items():
        truth[configuration] = middle(value - shared[trial] for trial, value in values)
    return truth, shared


def middle(values):
    """The mean of the middle half: nearly as exact as the mean, and as robust as the median."""
    values = sorted(values)
    drop = len(values) // 4
    return statistics.fmean(values[drop:len(values) - drop])


def main():
    out, name, description, tuning, recorded = sys.argv[1:]
    tuning = json.load(open(tuning))
    records = [json.loads(line) for line in open(recorded)]
    origin = records[0]["origin"]
    values = {each["name"]: each["values"] for each in tuning["parameters"]}
    names = list(values)

    def point(settings):
        return tuple(values[each].index(settings[each]) for each in names)

    shapes = 0
    cells, failures = {}, {}
    for record in records:
        if record["origin"] != origin:
            continue
        for each in record["observations"]:
            if each["failure"]:
                failures[point(each["settings"])] = each["failure"].split("\n")[0]
            for index, trial in enumerate(each["trials"]):
                shapes = len(trial)
                for shape, value in enumerate(trial):
                    cells.setdefault(shape, {})[(point(each["settings"]), (each["job"], index))] = -value
    # The same program as another configuration, or as the start: not measured, and as fast.
    artefacts, twins = {}, {}
    for record in records:
        for each in record["observations"]:
            if each["trials"]:
                artefacts.setdefault(each["artefact"], point(each["settings"]))
    for record in records:
        for each in record["observations"]:
            configuration = point(each["settings"])
            if not each["trials"] and not each["failure"]:
                twins[configuration] = artefacts.get(each["artefact"], point(origin))
    truth, shared = {}, {}
    for shape in range(shapes):
        truth[shape], shared[shape] = median_fit(cells[shape])
    counts = {}
    for configuration, _ in cells[0]:
        counts[configuration] = counts.get(configuration, 0) + 1

    own = []
    for (configuration, trial) in cells[0]:
        count = counts[configuration]
        if count < 2:
            continue
        # A residual from a mean of `count` is too small by this.
        factor = math.sqrt(count / (count - 1))
        own.append([round(factor * (cells[shape][(configuration, trial)] - truth[shape][configuration] -
                                    shared[shape][trial]), 4) for shape in range(shapes)])
    common = [[round(shared[shape][trial], 4) for shape in range(shapes)] for trial in shared[0]]
    rows = []
    start = point(origin)
    counts[start] = 0
    for shape in range(shapes):
        truth[shape][start] = 0.0
    for configuration, twin in twins.items():
        if configuration in counts:
            continue
        counts[configuration] = 0
        for shape in range(shapes):
            truth[shape][configuration] = truth[shape][twin]
    for configuration in sorted(set(counts) | set(failures)):
        if configuration in failures:
            rows.append([list(configuration), 0, []])
        else:
            rows.append([list(configuration), counts[configuration],
                         [round(truth[shape][configuration], 4) for shape in range(shapes)]])
    step = max(1, len(own) // 600)
    table = {"format": 1, "name": name, "description": description, "machine": tuning["machine"],
             "parameters": tuning["parameters"], "requirements": tuning["requirements"],
             "shape_classes": tuning["shape_classes"], "start": list(start),
             "rows": rows, "own_noise": own[::step], "shared_noise": common}
    with open(out, "w") as file:
        file.write("{\n")
        for index, (key, value) in enumerate(table.items()):
            comma = "" if index + 1 == len(table) else ","
            if key == "rows":
                file.write('"rows": [\n' + ",\n".join(json.dumps(row, separators=(",", ":"))
                                                     for row in value) + "]" + comma + "\n")
            else:
                file.write(json.dumps(key) + ": " + json.dumps(value, separators=(",", ":")) + comma + "\n")
        file.write("}\n")
    means = [statistics.fmean(row[2]) for row in rows if row[2]]
    best = min(means)
    near = sum(mean <= best + math.log(1.02) for mean in means)
    spread = statistics.stdev(statistics.fmean(each) for each in own)
    common_spread = statistics.stdev(statistics.fmean(each) for each in common)
    print(f"{name}: {len(rows)} configurations, {len(failures)} fail, best {math.exp(-best):.3f} times "
          f"as fast as the start, {near} within 2 %, noise of a trial {spread:.3f} own, "
          f"{common_spread:.3f} shared")


main()
