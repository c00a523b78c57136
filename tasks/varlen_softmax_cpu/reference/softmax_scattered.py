"""Softmax of all segments at once by PyTorch: sums and maxima are scattered into one place a segment.
Scratch is kept from call to call."""

import torch

_kept = {}


class Scratch:
    def __init__(self, segments, total):
        self.begins = torch.empty(segments - 1, dtype=torch.int64)
        self.ones = torch.ones(segments - 1, dtype=torch.int64)
        self.marks = torch.empty(total + 1, dtype=torch.int64)
        self.segment_of = torch.empty(total, dtype=torch.int64)
        self.largest = torch.empty(segments)
        self.sum = torch.empty(segments)
        self.spread = torch.empty(total)


def run(inputs, outputs, scalars, dims):
    key = dims["segments"], dims["total"]
    scratch = _kept.get(key)
    if scratch is None:
        scratch = _kept[key] = Scratch(*key)
    # An element's segment is the number of later segments' beginnings up to it.
    scratch.begins.copy_(inputs["starts"][1:-1])
    scratch.marks.zero_().scatter_add_(0, scratch.begins, scratch.ones)
    segment_of = torch.cumsum(scratch.marks[:-1], 0, out=scratch.segment_of)
    y = torch.mul(inputs["x"], scalars["factor"], out=outputs["y"])
    scratch.largest.fill_(float("-inf")).scatter_reduce_(0, segment_of, y, "amax")
    y.sub_(torch.index_select(scratch.largest, 0, segment_of, out=scratch.spread)).exp_()
    scratch.sum.zero_().scatter_add_(0, segment_of, y)
    y.div_(torch.index_select(scratch.sum, 0, segment_of, out=scratch.spread))
