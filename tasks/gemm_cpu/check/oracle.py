"""The matrix product in f64, and the inputs to try it on. Written from description.md alone."""

import torch


def groups():
    return {
        "typical": "normally distributed elements",
        "scaled": "rows of very different magnitudes, large factors that meet small ones",
        "structure": "blocks of zeros, constant rows, columns that pick one element, huge elements",
    }


def inputs(case):
    m, n, k, generator = case.dims["m"], case.dims["n"], case.dims["k"], case.generator
    a = torch.randn(m, k, generator=generator)
    b = torch.randn(k, n, generator=generator)
    if case.group == "scaled":
        a *= 10 ** (12 * torch.rand(m, 1, generator=generator) - 6)
        depth = 10 ** (6 * torch.rand(k, generator=generator) - 3)
        a *= depth
        b /= depth.unsqueeze(1)
    elif case.group == "structure":
        a[1::4, k // 2:] = 0
        a[2::4] = torch.randn(a[2::4].shape[0], 1, generator=generator)
        picked = torch.randint(k, (n,), generator=generator)[1::3]
        b[:, 1::3] = torch.nn.functional.one_hot(picked, k).T.float()
        where = torch.randint(k, (m, 1), generator=generator)
        huge = 1e3 * torch.randn(m, 1, generator=generator)
        a[3::4].scatter_(1, where[3::4], huge[3::4])
    return {"a": a, "b": b}


def reference(case, inputs):
    return {"c": inputs["a"].double() @ inputs["b"].double()}
