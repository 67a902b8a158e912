"""The landmark network: separable convolutions over four sizes, one map of answers at an eighth of the input's size.

Input: a square of SIDE gray levels / 128 that shows an upright face, whose box is SIDE / MARGIN pixels wide. Output, by cell of 8 x 8
pixels, for each of the 68 points: log-odds that the point is near this cell; its place from the cell's center in units of 8 pixels (2);
log of its standard error, in sides of the box. A point is the mean of all cells' answers, weighted by the odds.
"""
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../faces"))
from detector import Layer, Residual, Separable  # noqa: E402

SIDE, MARGIN, STRIDE, POINTS = 112, 1.5, 8, 68


class Landmarks(nn.Module):
    def __init__(self, sizes=(16, 32, 64, 112, 176), blocks=(2, 4, 4)):
        super().__init__()
        a, b, c, d, e = sizes
        chain = lambda first, channels, count: nn.Sequential(first, *[Residual(channels) for _ in range(count)])
        self.stem = Layer("convolution", 1, a, 2)
        self.entry = Separable(a, b)
        self.quarter = chain(Separable(b, c, 2), c, blocks[0])
        self.eighth = chain(Separable(c, d, 2), d, blocks[1])
        self.least = chain(Separable(d, e, 2), e, blocks[2])
        self.up, self.joined, self.joined2 = Layer("pointwise", e, d, slope=1.0), Residual(d), Residual(d)
        self.last = nn.Conv2d(d, 4 * POINTS, 1)
        nn.init.normal_(self.last.weight, std=0.01)
        nn.init.zeros_(self.last.bias)

    def forward(self, x):
        d = self.eighth(self.quarter(self.entry(self.stem(x))))
        e = F.interpolate(self.up(self.least(d)), scale_factor=2.0, mode="nearest")
        return self.last(self.joined2(self.joined(F.relu(d + e))))

    def write(self, writer):
        """Gray levels come as they are, 0 to 255."""
        through = lambda chain, source: source if not len(chain) else through(chain[1:], chain[0].write(writer, source))
        d = through(self.eighth, through(self.quarter, self.entry.write(writer, self.stem.write(writer, 0, 1 / 128))))
        e = writer.add("upsample", [self.up.write(writer, through(self.least, d))])
        d = writer.add("add", [d, e], slope=0.0)
        d = self.joined2.write(writer, self.joined.write(writer, d))
        weight, bias = (t.detach().float().cpu().numpy() for t in (self.last.weight, self.last.bias))
        return writer.add("pointwise", [d], 4 * POINTS, weight=weight, bias=bias)


def decode(output):
    """Points [b, 68, 2] in pixels of the input, and the logs of their standard errors [b, 68]."""
    b, _, h, w = output.shape
    maps = output.float().view(b, 4, POINTS, h * w)
    odds = maps[:, 0].softmax(2)
    axis = lambda n: (torch.arange(n, device=output.device).float() + 0.5) * STRIDE - 0.5
    x = axis(w)[None, :].expand(h, w).reshape(-1) + STRIDE * maps[:, 1]
    y = axis(h)[:, None].expand(h, w).reshape(-1) + STRIDE * maps[:, 2]
    points = torch.stack([(odds * x).sum(2), (odds * y).sum(2)], 2)
    return points, (odds * maps[:, 3]).sum(2)
