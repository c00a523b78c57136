#!/usr/bin/env python3
"""What a round costs besides compiling, checking and timing, from the record of a finished run.

usage: bench/round_overhead.py RUN_DIRECTORY

For each round: the time between the record's events, less the seconds that its job says it spent on
compiling, making cases and measuring. What is left is the driver, git, the bundle, the start of the
worker and the reading of its result.
"""

import json
import statistics
import sys
from pathlib import Path


def events(run):
    with open(run / "journal.jsonl", encoding="utf-8") as journal:
        return [json.loads(line) for line in journal]


def job_seconds(run, number):
    with open(run / "jobs" / f"{number:04d}" / "result" / "result.json", encoding="utf-8") as file:
        result = json.load(file)
    return result["compile_seconds"] + result["oracle_seconds"] + result["measure_seconds"]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.split("\n\n")[1])
    run = Path(sys.argv[1])
    jobs = {}
    rounds = []
    previous = 0.0
    for event in events(run):
        data = event["data"]
        if event["type"] == "round_started":
            jobs[data["round"]] = data["job"]
        if event["type"] == "round_judged" and not data.get("reused", False):
            spent = job_seconds(run, jobs[data["round"]])
            total = event["elapsed_s"] - previous
            rounds.append((data["round"], total, spent))
        previous = event["elapsed_s"] if event["type"] != "round_started" else previous
    overheads = [total - spent for _, total, spent in rounds]
    for number, total, spent in rounds:
        print(f"round {number:3d}: {total:7.3f} s, of which the job {spent:7.3f} s, "
              f"overhead {(total - spent) * 1e3:6.1f} ms ({(total - spent) / total:.2%})")
    print(f"overhead: median {statistics.median(overheads) * 1e3:.1f} ms, "
          f"worst {max(overheads) * 1e3:.1f} ms over {len(overheads)} rounds; "
          f"overhead / job {statistics.median(o / s for o, (_, _, s) in zip(overheads, rounds)):.4f}")


if __name__ == "__main__":
    main()
