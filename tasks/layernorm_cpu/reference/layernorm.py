"""Layer normalisation by PyTorch's own kernel, into the buffers given."""

import torch


def run(inputs, outputs, scalars, dims):
    torch.ops.aten.native_layer_norm.out(
        inputs["x"], [dims["cols"]], inputs["w"], inputs["b"], scalars["eps"],
        out0=outputs["y"], out1=outputs["mean"].unsqueeze(1), out2=outputs["rstd"].unsqueeze(1))
