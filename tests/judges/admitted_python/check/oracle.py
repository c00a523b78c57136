"""The base problem's oracle in Python."""

import torch


def inputs(case):
    rows, cols, generator = case.dims["rows"], case.dims["cols"], case.generator
    x = torch.randn(rows, cols, generator=generator)
    if case.group == "extremes":
        x *= 10.0 ** (torch.rand(rows, 1, generator=generator) * 5 - 4)
    elif case.group == "structure":
        x[3::7] = 0
        x[:, 5] = 50
    return {"x": x, "w": 1 + 0.25 * torch.randn(cols, generator=generator)}


def reference(case, inputs):
    return {"y": torch.tanh(inputs["x"].double() * inputs["w"].double())}
