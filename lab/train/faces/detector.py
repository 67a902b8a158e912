"""The face detector: separable convolutions over five sizes, one map of answers at an eighth of the picture's size.

Input: gray levels / 128, size a multiple of 32. Output, by cell of 8 x 8 pixels: log-odds of a face whose center is here; its center
from the cell's center in units of 8 pixels (2); log2 of its side / 32; cosine and sine of its turn in the picture, clockwise; eyes,
nose tip and corners of the mouth from its center, in sides (10).
"""
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
