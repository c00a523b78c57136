#!/usr/bin/env python3
"""Makes up a space of the size of our kernels', for replaying: a hold-out that nothing was tuned on.

  make_landscape.py OUT.json SEED

The logarithm of a configuration's time is the sum of
  - an effect of each value: of a name at random, of a size a bowl around some place;
  - an effect of each pair of values, for a third of the pairs of parameters;
  - one per cent at random that it shares with no other configuration.
How much a parameter matters is drawn too, so that most landscapes have two or three that matter
and some that hardly do. A trial errs by three per cent, two of them shared within its job.
"""
import itertools
import json
import math
import random
import sys

OWN = 0.01
NOISE, SHARED_NOISE = 0.03, 0.02
SMALLEST, LARGEST = 250, 750


def parameters_of(draw):
    """Two to four of two names, two to four sizes: so many that the space is of the right size."""
    while True:
        names = [{"name": f"kName{i}", "kind": "structure", "shape_class": -1,
                  "values": ["false", "true"]} for i in range(draw.randint(2, 4))]
        sizes = [{"name": f"kSize{i}", "kind": "tuning", "shape_class": -1,
                  "values": [str(2 ** place) for place in range(draw.randint(3, 5))]}
                 for i in range(draw.randint(2, 4))]
        count = math.prod(len(each["values"]) for each in names + sizes)
        if SMALLEST <= count <= LARGEST:
            return names + sizes


def effect_of(parameter, matters, draw):
    count = len(parameter["values"])
    if parameter["kind"] == "structure":
        return [draw.gauss(0, matters) for _ in range(count)]
    bottom = draw.uniform(0, count - 1)
    return [2 * matters * abs(place - bottom) / (count - 1) for place in range(count)]


def main():
    out, seed = sys.argv[1], int(sys.argv[2])
    draw = random.Random(seed)
    parameters = parameters_of(draw)
    matters = [math.exp(draw.gauss(math.log(0.1), 0.8)) for _ in parameters]
    effects = [effect_of(each, matter, draw) for each, matter in zip(parameters, matters)]
    pairs = {}
    for a, b in itertools.combinations(range(len(parameters)), 2):
        if draw.random() < 1 / 3:
            sd = 0.4 * math.sqrt(matters[a] * matters[b])
            for values in itertools.product(range(len(effects[a])), range(len(effects[b]))):
                pairs[(a, b) + values] = draw.gauss(0, sd)
    times = {}
    for point in itertools.product(*(range(len(effect)) for effect in effects)):
        times[point] = sum(effect[value] for effect, value in zip(effects, point)) + \
            sum(pairs.get((a, b, point[a], point[b]), 0)
                for a, b in itertools.combinations(range(len(point)), 2)) + draw.gauss(0, OWN)
    start = draw.choice(list(times))
    table = {"format": 1, "name": f"made up {seed}", "description": "bench/search/make_landscape.py",
             "machine": {}, "parameters": parameters, "requirements": [], "shape_classes": [0],
             "start": list(start),
             "rows": [[list(point), 1, [round(time - times[start], 5)]]
                      for point, time in times.items()],
             "own_noise": [[round(draw.gauss(0, NOISE), 5)] for _ in range(600)],
             "shared_noise": [[round(draw.gauss(0, SHARED_NOISE), 5)] for _ in range(600)]}
    with open(out, "w") as file:
        json.dump(table, file)


main()
