"""Softmax of each segment by PyTorch, one after the other."""

import torch


def run(inputs, outputs, scalars, dims):
    y = torch.mul(inputs["x"], scalars["factor"], out=outputs["y"])
    starts = inputs["starts"].tolist()
    for begin, end in zip(starts, starts[1:]):
        if begin < end:
            segment = y[begin:end]
            torch.softmax(segment, dim=0, out=segment)
