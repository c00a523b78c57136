"""RMS normalisation in f64, and the inputs to try it on. Written from description.md alone."""

import torch


def groups():
    return {
        "typical": "normally distributed activations and weights near 1",
        "extremes": "very large and very small rows, rows of zeros",
        "structure": "one huge element a row",
    }


def inputs(case):
    rows, cols, generator = case.dims["rows"], case.dims["cols"], case.generator
    x = torch.randn(rows, cols, generator=generator)
    if case.group == "extremes":
        # Magnitudes from 1e-14 to 1e14, one a row; one row of seven is zero.
        exponents = torch.rand(rows, 1, generator=generator) * 28 - 14
        x *= 10.0 ** exponents
        x[3::7] = 0
    elif case.group == "structure":
        where = torch.randint(cols, (rows, 1), generator=generator)
        x.scatter_(1, where, 1e4 * torch.randn(rows, 1, generator=generator))
    w = 1 + 0.25 * torch.randn(cols, generator=generator)
    return {"x": x.to(torch.bfloat16), "w": w.to(torch.bfloat16)}


def reference(case, inputs):
    y = inputs["x"].double()
    mean = y.square().mean(dim=1, keepdim=True)
    y *= torch.rsqrt(mean + case.scalars["eps"])
    y *= inputs["w"].double()
    return {"y": y}
