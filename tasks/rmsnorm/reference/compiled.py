"""RMS normalisation as one writes it in PyTorch, under torch.compile: one kernel that writes in place."""

import torch


@torch.compile(dynamic=False)
def rms_norm(x, w, eps, y):
    wide = x.float()
    scale = torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + eps)
    y.copy_(wide * scale * w.float())


def run(inputs, outputs, scalars, dims):
    rms_norm(inputs["x"], inputs["w"], scalars["eps"], outputs["y"])
