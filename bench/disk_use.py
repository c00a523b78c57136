#!/usr/bin/env python3
"""How much disk a long run takes, before and after forge gc.

  bench/disk_use.py [--build BUILD] [--rounds N]

Runs the real forge on a real problem with a stand-in for the worker, which answers each job with the
result that the real worker gave to a job of its kind, so that a round takes a fraction of a second and
leaves what a real one leaves: the bundle, the result, the prompt, a commit. The kernel has a value for
each round, and each is said to be a little faster than the one before, so that none is given up.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORKER = '''#!/usr/bin/env python3
import json, os, sys
bundle, result = sys.argv[1], sys.argv[2]
job = json.load(open(os.path.join(bundle, "job.json")))
kind = job["type"] if "type" in job else job["kind"]
incumbent = any(arm["role"] == "incumbent" for arm in job["arms"])
name = kind + ("-incumbent" if kind == "judge" and incumbent else "")
answer = json.load(open(os.path.join(os.environ["FORGE_ANSWERS"], name + ".json")))
answer["id"] = job["id"]
for arm in answer["arms"]:
    if arm["label"] == "candidate":
        arm["artefact_digest"] = (job["id"].encode().hex() + "0" * 64)[:64]
for contrast in answer["body"].get("contrasts", []):
    contrast["comparison"] = "faster"
    contrast["ratio"] = {"point": 1.5, "low": 1.4, "high": 1.6}
if kind in ("judge", "confirm"):
    answer["body"]["outcome"] = {"kind": "passed"}
os.makedirs(result + ".tmp")
json.dump(answer, open(os.path.join(result + ".tmp", "result.json"), "w"), indent=2)
os.rename(result + ".tmp", result)
'''


def run(command, folder, **environment):
    done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 2):
        sys.exit(f"{command}: {done.stderr}")
    return done.stdout


def new_run(forge, folder, **environment):
    return Path(folder) / run([forge, "new", "task"], folder, **environment).splitlines()[-1]


def copy_task(folder, rounds):
    """A small problem with as many values as there are to be rounds."""
    task = Path(folder) / "task"
    shutil.copytree(ROOT / "tests/tasks/saxpy", task)
    text = (task / "task.toml").read_text()
    text = text.replace("hours    = 0.02", "hours    = 10").replace("patience = 3", "patience = 10000")
    (task / "task.toml").write_text(text)
    kernel = task / "start" / "kernel.cpp"
    lines = kernel.read_text().splitlines()
    values = ", ".join(str(value) for value in range(1, rounds + 1))
    kept = [f"FORGE_TUNABLE(int, kBlock, 1, {values});" if "kBlock," in line else line
            for line in lines if "kFused," not in line]
    text = "\n".join(kept) + "\n"
    kernel.write_text(text.replace("kFused", "false"))
    return task


def answers_of(forge, folder):
    """Results of real jobs by kind, from a short real run."""
    copy_task(folder, 2)
    made = new_run(forge, folder)
    run([forge, "run", made], folder)
    answers = Path(folder) / "answers"
    answers.mkdir()
    for job in sorted((made / "jobs").iterdir()):
        result = json.loads((job / "result/result.json").read_text())
        spec = json.loads((job / "bundle/job.json").read_text())
        kind = spec["type"] if "type" in spec else spec["kind"]
        incumbent = any(arm["role"] == "incumbent" for arm in spec["arms"])
        name = kind + ("-incumbent" if kind == "judge" and incumbent else "")
        (answers / f"{name}.json").write_text(json.dumps(result))
    return answers


def bytes_below(folder):
    out = subprocess.run(["du", "--summarize", "--block-size=1", folder], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
    return int(out.split()[0])


def parts(made):
    sizes = {entry.name: bytes_below(entry) for entry in made.iterdir()}
    return ", ".join(f"{name} {size / 1e6:.1f} MB" for name, size in
                     sorted(sizes.items(), key=lambda each: -each[1]) if size > 1e5)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build")
    parser.add_argument("--rounds", type=int, default=500)
    options = parser.parse_args()
    forge = options.build.resolve() / "bin/forge"
    with tempfile.TemporaryDirectory() as real, tempfile.TemporaryDirectory() as long:
        answers = answers_of(forge, real)
        copy_task(long, options.rounds)
        (Path(long) / "bin").mkdir()
        shutil.copy(forge, Path(long) / "bin/forge")
        worker = Path(long) / "bin/forge-worker"
        worker.write_text(WORKER)
        worker.chmod(0o755)
        environment = {"FORGE_ANSWERS": str(answers)}
        made = new_run(Path(long) / "bin/forge", long)
        run([Path(long) / "bin/forge", "run", made], long, **environment)
        rounds = (made / "journal.jsonl").read_text().count('"type":"round_judged"')
        before = bytes_below(made)
        print(f"{rounds} rounds: {before / 1e6:.1f} MB ({parts(made)})")
        print(run([forge, "gc"], long).strip())
        print(f"after forge gc: {bytes_below(made) / 1e6:.1f} MB ({parts(made)})")


main()
