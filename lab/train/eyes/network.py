"""The eye network: separable convolutions over four sizes, down and up again.

Input: gray levels / 128 of an eye with a dark pupil, its longer side SIDE. Output at half that size: log-odds that a cell belongs to the
whole pupil, to the whole iris, to the opening between the lids. Hidden parts of pupil and iris count, unless lids hide nearly all.
"""
import os
import sys

import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../faces"))
from detector import Layer, Residual, Separable  # noqa: E402

SIDE, MAPS = 192, 3


class Eyes(nn.Module):
    def __init__(self, sizes=(12, 16, 32, 56, 74), blocks=(1, 2, 3)):
        super().__init__()
        s, a, b, c, d = sizes
        chain = lambda first, channels, count: nn.Sequential(first, *[Residual(channels) for _ in range(count)])
        self.stem = Layer("convolution", 1, s, 2)
        self.entry = Separable(s, a)
        self.quarter = chain(Separable(a, b, 2), b, blocks[0])
        self.eighth = chain(Separable(b, c, 2), c, blocks[1])
        self.least = chain(Separable(c, d, 2), d, blocks[2])
        self.up, self.joined = Layer("pointwise", d, c, slope=1.0), Residual(c)
        self.up2, self.joined2 = Layer("pointwise", c, b, slope=1.0), Residual(b)
        self.up3, self.joined3, self.joined4 = Layer("pointwise", b, a, slope=1.0), Residual(a), Residual(a)
        self.last = nn.Conv2d(a, MAPS, 1)
        nn.init.normal_(self.last.weight, std=0.01)
        nn.init.zeros_(self.last.bias)

    def forward(self, x):
        twice = lambda t: F.interpolate(t, scale_factor=2.0, mode="nearest")
        a = self.entry(self.stem(x))
        b = self.quarter(a)
        c = self.eighth(b)
        c = self.joined(F.relu(c + twice(self.up(self.least(c)))))
        b = self.joined2(F.relu(b + twice(self.up2(c))))
        a = self.joined4(self.joined3(F.relu(a + twice(self.up3(b)))))
        return self.last(a)

    def write(self, writer):
        """Gray levels come as they are, 0 to 255."""
        through = lambda chain, source: source if not len(chain) else through(chain[1:], chain[0].write(writer, source))
        a = self.entry.write(writer, self.stem.write(writer, 0, 1 / 128))
        b = through(self.quarter, a)
        c = through(self.eighth, b)
        lower = through(self.least, c)
        for up, source, joined in ((self.up, c, [self.joined]), (self.up2, b, [self.joined2]), (self.up3, a, [self.joined3, self.joined4])):
            upper = writer.add("upsample", [up.write(writer, lower)])
            lower = through(joined, writer.add("add", [source, upper], slope=0.0))
        weight, bias = (t.detach().float().cpu().numpy() for t in (self.last.weight, self.last.bias))
        return writer.add("pointwise", [lower], MAPS, weight=weight, bias=bias)
