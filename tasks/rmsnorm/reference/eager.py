"""RMS normalisation by PyTorch's own fused kernel, whose result is then copied to where it belongs."""

import torch


def run(inputs, outputs, scalars, dims):
    x, w = inputs["x"], inputs["w"]
    outputs["y"].copy_(torch.nn.functional.rms_norm(x, (dims["cols"],), w, scalars["eps"]))
