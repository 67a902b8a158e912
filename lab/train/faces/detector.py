"""The face detector: separable convolutions over five sizes, one map of answers at an eighth of the picture's size.

Input: gray levels / 128, size a multiple of 32. Output, by cell of 8 x 8 pixels: log-odds of a face whose center is here; its center
from the cell's center in units of 8 pixels (2); log2 of its side / 32; cosine and sine of its turn in the picture, clockwise; eyes,
nose tip and corners of the mouth from its center, in sides (10).
"""
import struct

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

OUTPUTS = 16
STRIDE = 8


class Layer(nn.Module):
    """A convolution with its normalization; operation is a name of export.py."""

    def __init__(self, operation, inputs, outputs, step=1, slope=0.0):
        super().__init__()
        size = 1 if operation == "pointwise" else 3
        groups = inputs if operation == "depthwise" else 1
        self.operation, self.step, self.slope = operation, step, slope
        self.conv = nn.Conv2d(inputs, outputs, size, step, size // 2, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        nn.init.kaiming_normal_(self.conv.weight, mode="fan_out" if groups == 1 else "fan_in")

    def forward(self, x):
        x = self.norm(self.conv(x))
        return F.relu(x) if self.slope == 0 else x

    def folded(self):
        factor = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        return self.conv.weight * factor[:, None, None, None], self.norm.bias - self.norm.running_mean * factor

    def write(self, writer, source, factor=1.0):
        weight, bias = (t.detach().float().cpu().numpy() for t in self.folded())
        return writer.add(self.operation, [source], len(weight), self.step, self.slope, weight=weight * factor, bias=bias)


class Separable(nn.Module):
    def __init__(self, inputs, outputs, step=1):
        super().__init__()
        self.deep = Layer("depthwise", inputs, inputs, step)
        self.point = Layer("pointwise", inputs, outputs)

    def forward(self, x):
        return self.point(self.deep(x))

    def write(self, writer, source):
        return self.point.write(writer, self.deep.write(writer, source))


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.deep = Layer("depthwise", channels, channels)
        self.point = Layer("pointwise", channels, channels, slope=1.0)
        nn.init.zeros_(self.point.norm.weight)

    def forward(self, x):
        return F.relu(x + self.point(self.deep(x)))

    def write(self, writer, source):
        return writer.add("add", [source, self.point.write(writer, self.deep.write(writer, source))], slope=0.0)


class Detector(nn.Module):
    def __init__(self, sizes=(8, 24, 40, 80, 112), blocks=(2, 3, 2)):
        super().__init__()
        a, b, c, d, e = sizes
        chain = lambda first, channels, count: nn.Sequential(first, *[Residual(channels) for _ in range(count)])
        self.sizes, self.blocks = sizes, blocks
        self.stem = Layer("convolution", 1, a, 2)
        self.quarter = Separable(a, b, 2)
        self.eighth = chain(Separable(b, c, 2), c, blocks[0])
        self.small = chain(Separable(c, d, 2), d, blocks[1])
        self.least = chain(Separable(d, e, 2), e, blocks[2])
        self.up, self.joined = Layer("pointwise", e, d, slope=1.0), Residual(d)
        self.up2, self.joined2 = Layer("pointwise", d, c, slope=1.0), Residual(c)
        self.last = nn.Conv2d(c, OUTPUTS, 1)
        nn.init.normal_(self.last.weight, std=0.01)
        nn.init.zeros_(self.last.bias)
        self.last.bias.data[0] = -4.0

    def forward(self, x):
        twice = lambda t: F.interpolate(t, scale_factor=2.0, mode="nearest")
        c = self.eighth(self.quarter(self.stem(x)))
        d = self.small(c)
        d = self.joined(F.relu(d + twice(self.up(self.least(d)))))
        return self.last(self.joined2(F.relu(c + twice(self.up2(d)))))

    def write(self, writer, less=0.0):
        """`less` is taken off the log-odds. Gray levels come as they are, 0 to 255."""
        through = lambda chain, source: source if not len(chain) else through(chain[1:], chain[0].write(writer, source))
        c = through(self.eighth, self.quarter.write(writer, self.stem.write(writer, 0, 1 / 128)))
        d = through(self.small, c)
        e = writer.add("upsample", [self.up.write(writer, through(self.least, d))])
        d = self.joined.write(writer, writer.add("add", [d, e], slope=0.0))
        e = writer.add("upsample", [self.up2.write(writer, d)])
        c = self.joined2.write(writer, writer.add("add", [c, e], slope=0.0))
        weight, bias = (t.detach().float().cpu().numpy().copy() for t in (self.last.weight, self.last.bias))
        bias[0] -= less
        return writer.add("pointwise", [c], OUTPUTS, weight=weight, bias=bias)


@torch.no_grad()
def read(model, file, less, x):
    """Weights of the engine's compact form, as a start. `less` as in write; `x`: scenes that the normalization is measured on."""
    data = open(file, "rb").read()
    at = 20 + struct.unpack_from("<I", data, 8)[0]
    at += -at % 16
    (count, _), at = struct.unpack_from("<HH", data, at), at + 4
    stored, channels = [], [1]
    for _ in range(count):
        operation, _, outputs, sources = struct.unpack_from("<BBHH", data, at)
        given = struct.unpack_from("<%dH" % sources, data, at + 6)
        at += 14 + 2 * sources
        if operation < 3:
            side, inputs = (3, 3, 1)[operation], 1 if operation == 1 else channels[given[0]]
            scale, bias = (np.frombuffer(data, "<f4", outputs, at + 4 * outputs * k) for k in range(2))
            at += 8 * outputs
            values = np.frombuffer(data, np.int8, outputs * side * side * inputs, at).reshape(outputs, side, side, inputs)
            at += values.size
            stored.append((values.astype(np.float32) * scale[:, None, None, None], bias))
        channels.append(outputs)
    separable = lambda chain: [layer for part in chain for layer in (part.deep, part.point)]
    layers = [model.stem, *separable([model.quarter, *model.eighth, *model.small, *model.least]), model.up]
    layers += [*separable([model.joined]), model.up2, *separable([model.joined2]), model.last]
    for layer, (weight, bias) in zip(layers, stored, strict=True):
        weight, bias = torch.from_numpy(weight.transpose(0, 3, 1, 2).copy()), torch.from_numpy(bias.copy())
        if layer is model.last:
            layer.weight.copy_(weight), layer.bias.copy_(bias)
            layer.bias[0] += less
            continue
        layer.conv.weight.copy_(weight * (128 if layer is model.stem else 1))
        layer.norm.running_mean.zero_(), layer.norm.running_var.fill_(1 - layer.norm.eps)
        layer.norm.weight.fill_(1), layer.norm.bias.copy_(bias)
    found = {}
    hooks = [
        layer.conv.register_forward_hook(lambda _, __, y, layer=layer: found.update({layer: (y.mean((0, 2, 3)), y.var((0, 2, 3)))}))
        for layer in layers[:-1]
    ]
    model.eval()(x)
    for hook in hooks:
        hook.remove()
    for layer, (mean, variance) in found.items():
        layer.norm.bias += mean
        layer.norm.weight.copy_((variance + layer.norm.eps).sqrt())
        layer.norm.running_mean.copy_(mean), layer.norm.running_var.copy_(variance)
