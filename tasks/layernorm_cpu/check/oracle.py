"""Layer normalisation in f64, and the inputs to try it on. Written from description.md alone."""

import torch


def groups():
    return {
        "typical": "normally distributed activations, weights near 1",
        "offset": "rows far from zero",
        "structure": "no bias; huge elements, rows of zeros, tiny rows",
    }


def inputs(case):
    rows, cols, generator = case.dims["rows"], case.dims["cols"], case.generator
    x = torch.randn(rows, cols, generator=generator)
    if case.group == "offset":
        # Mean over spread from 10 to 100 and of either sign, one a row; spreads from 1e-2 to 1e2.
        means = 10 ** (1 + torch.rand(rows, 1, generator=generator))
        signs = torch.randint(2, (rows, 1), generator=generator) * 2 - 1
        spreads = 10 ** (4 * torch.rand(rows, 1, generator=generator) - 2)
        x = (x + means * signs) * spreads
    elif case.group == "structure":
        where = torch.randint(cols, (rows, 1), generator=generator)
        x.scatter_(1, where, 1e4 * torch.randn(rows, 1, generator=generator))
        x[2::5] = 0
        x[4::5] *= 1e-6
    values = {"x": x, "w": 1 + 0.25 * torch.randn(cols, generator=generator)}
    if "b" not in case.absent:
        values["b"] = 0.5 * torch.randn(cols, generator=generator)
    return values


def reference(case, inputs):
    x = inputs["x"].double()
    mean = x.mean(dim=1, keepdim=True)
    deviation = x - mean
    rstd = torch.rsqrt(deviation.square().mean(dim=1, keepdim=True) + case.scalars["eps"])
    y = deviation * rstd * inputs["w"].double()
    if "b" in inputs:
        y += inputs["b"].double()
    return {"y": y, "mean": mean.squeeze(1), "rstd": rstd.squeeze(1)}
