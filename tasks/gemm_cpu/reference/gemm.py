"""The matrix product by PyTorch, which hands it to the BLAS that it finds."""

import torch


def run(inputs, outputs, scalars, dims):
    torch.mm(inputs["a"], inputs["b"], out=outputs["c"])
