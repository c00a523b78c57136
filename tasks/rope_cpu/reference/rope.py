"""Rotary position embedding as one writes it in PyTorch, without allocations from call to call."""

import torch

_kept = {}


class Scratch:
    def __init__(self, tokens, heads, kv_heads, half):
        self.cos = torch.empty(tokens, half)
        self.sin = torch.empty(tokens, half)
        self.wide = {n: torch.empty(tokens, n, 2 * half) for n in (heads, kv_heads)}
        self.turned = {n: torch.empty(tokens, n, 2 * half) for n in (heads, kv_heads)}


def turn(x, out, scratch):
    heads, half = x.shape[1], x.shape[2] // 2
    cos, sin = scratch.cos.unsqueeze(1), scratch.sin.unsqueeze(1)
    wide = scratch.wide[heads].copy_(x)
    first, second = wide[..., :half], wide[..., half:]
    turned = scratch.turned[heads]
    torch.mul(first, cos, out=turned[..., :half]).addcmul_(second, sin, value=-1)
    torch.mul(second, cos, out=turned[..., half:]).addcmul_(first, sin)
    out.copy_(turned)


def run(inputs, outputs, scalars, dims):
    key = dims["tokens"], dims["heads"], dims["kv_heads"], dims["half"]
    scratch = _kept.get(key)
    if scratch is None:
        scratch = _kept[key] = Scratch(*key)
    torch.index_select(inputs["cos"], 0, inputs["position"], out=scratch.cos)
    torch.index_select(inputs["sin"], 0, inputs["position"], out=scratch.sin)
    turn(inputs["q"], outputs["q_out"], scratch)
    turn(inputs["k"], outputs["k_out"], scratch)
