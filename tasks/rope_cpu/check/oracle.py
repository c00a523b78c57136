"""Rotary position embedding in f64, and the inputs to try it on. Written from description.md alone."""

import torch


def groups():
    return {
        "typical": "positions in order, the usual angles",
        "edges": "first and last position, shared positions, no order",
        "structure": "tables off the unit circle, cancellation, huge elements",
    }


def tables(case):
    positions, half = case.dims["positions"], case.dims["half"]
    if case.group == "structure":
        draw = torch.rand(2, positions, half, generator=case.generator, dtype=torch.float64)
        return 4 * draw[0] - 2, 4 * draw[1] - 2
    frequency = 10000.0 ** (-torch.arange(half, dtype=torch.float64) / half)
    angle = torch.arange(positions, dtype=torch.float64).unsqueeze(1) * frequency
    return angle.cos(), angle.sin()


def draw_positions(case):
    tokens, positions, generator = case.dims["tokens"], case.dims["positions"], case.generator
    if case.group == "typical":
        first = torch.randint(positions, (1,), generator=generator)
        return (first + torch.arange(tokens)) % positions
    drawn = torch.randint(positions, (tokens,), generator=generator)
    if case.group == "edges":
        choice = torch.randint(4, (tokens,), generator=generator)
        drawn[choice == 0] = 0
        drawn[choice == 1] = positions - 1
        drawn[choice == 2] = positions // 2
    return drawn


def draw_heads(case, heads, cos, sin):
    tokens, half, generator = case.dims["tokens"], case.dims["half"], case.generator
    x = torch.randn(tokens, heads, 2 * half, generator=generator)
    if case.group == "structure":
        # In one head of three, x1 * cos and x2 * sin nearly cancel.
        x[:, ::3, :half] = x[:, ::3, half:] * (sin / cos.abs().clamp(min=0.1) * cos.sign())
        where = torch.randint(2 * half, (tokens, heads, 1), generator=generator)
        huge = 1e5 * torch.randn(tokens, heads, 1, generator=generator)
        x[:, 1::3].scatter_(2, where[:, 1::3], huge[:, 1::3])
    return x.to(torch.bfloat16)


def inputs(case):
    cos, sin = (table.float() for table in tables(case))
    position = draw_positions(case)
    here = cos[position].unsqueeze(1), sin[position].unsqueeze(1)
    return {"q": draw_heads(case, case.dims["heads"], *here),
            "k": draw_heads(case, case.dims["kv_heads"], *here),
            "position": position, "cos": cos, "sin": sin}


def reference(case, inputs):
    half = case.dims["half"]
    cos = inputs["cos"].double()[inputs["position"]].unsqueeze(1)
    sin = inputs["sin"].double()[inputs["position"]].unsqueeze(1)

    def turned(x):
        first, second = x[..., :half].double(), x[..., half:].double()
        return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=2)

    return {"q_out": turned(inputs["q"]), "k_out": turned(inputs["k"])}
