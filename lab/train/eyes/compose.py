"""Pictures for the training: rendered eyes as other cameras would have them, and the exact maps of what they show. All on the GPU."""
import math
import threading

import numpy as np
import torch
import torch.nn.functional as F

from network import SIDE

STORED, NUMBERS, COLUMNS = 224, 46, 16
BLINK = 0.8  # lids that hide more of a pupil leave none


class Shown:
    """Rendered frames: pixels, and in pixels of the frame what is true of them."""

    def __init__(self, most, device):
        self.device, self.count, self.most, self.lock = device, 0, most, threading.Lock()
        self.pixels = torch.empty((most, STORED, STORED), dtype=torch.uint8, device=device)
        self.numbers = torch.empty((most, NUMBERS), dtype=torch.float32, device=device)
        self.lids = torch.empty((most, 2, 4), dtype=torch.float32, device=device)

    def add(self, data):
        each = STORED * STORED + 4 * NUMBERS
        rows = np.frombuffer(data, np.uint8).reshape(-1, each)
        numbers = np.ascontiguousarray(rows[:, STORED * STORED :]).view(np.float32)
        n = min(len(rows), self.most - self.count)
        # The lids are cubic in x. In units of the frame's width, so that powers stay small.
        t = np.arange(COLUMNS) / (COLUMNS - 1)
        wide = numbers[:, :1]
        t = np.round(t * (wide - 1)) / wide  # the column that was read
        powers = t[..., None] ** np.arange(4)
        lids = numbers[:, 14:].reshape(-1, 2, COLUMNS)
        fitted = np.einsum("nij,nkj->nki", np.linalg.pinv(powers), lids)
        to = lambda values: torch.from_numpy(np.ascontiguousarray(values[:n])).to(self.device)
        with self.lock:
            part = slice(self.count, self.count + n)
            self.pixels[part] = to(rows[:, : STORED * STORED].reshape(-1, STORED, STORED))
            self.numbers[part] = to(numbers)
            self.lids[part] = to(fitted.astype(np.float32))
            self.count += n


def grid(count, side, device):
    axis = torch.arange(side, device=device).float()
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    return x.expand(count, side, side), y.expand(count, side, side)


def cover(distance):
    return (0.5 + distance).clamp(0, 1)


def inside(ellipse, x, y, unit):
    """Cover of pixels of `unit` by an ellipse, by the distance from its border to first order."""
    cx, cy, major, minor, angle = (ellipse[:, i, None, None] for i in range(5))
    c, s = torch.cos(angle), torch.sin(angle)
    dx, dy = x - cx, y - cy
    u, v = (c * dx + s * dy) * 2 / major, (c * dy - s * dx) * 2 / minor
    g = (u * u + v * v).sqrt().clamp(min=1e-3)
    slope = ((2 * u / major) ** 2 + (2 * v / minor) ** 2).sqrt() / g
    return cover((1 - g) / slope.clamp(min=1e-6) / unit)


def opened(lids, wide, x, y, unit):
    t = x / wide[:, None, None]
    row = lambda k: ((lids[:, k, 3, None, None] * t + lids[:, k, 2, None, None]) * t + lids[:, k, 1, None, None]) * t + lids[:, k, 0, None, None]
    upper, lower = row(0), row(1)
    return torch.minimum(cover((y - upper) / unit), cover((lower - y) / unit)) * (lower > upper)


@torch.no_grad()
def pictures(shown, first, last, count, plain=False):
    """Levels [n, SIDE, SIDE]; maps [n, 3, SIDE / 2, SIDE / 2]; which cells count; numbers of the truth [n, 5]."""
    device = shown.device
    index = torch.randint(first, last, (count,), device=device)
    numbers, lids = shown.numbers[index], shown.lids[index]
    wide, high, eye, bright = (numbers[:, i] for i in range(4))
    pupil, limbus = numbers[:, 4:9], numbers[:, 9:14]
    uniform = lambda low, high: low + (high - low) * torch.rand(count, device=device)
    normal = lambda *shape: torch.randn(count, *shape, device=device)
    sometimes = lambda chance: torch.rand(count, device=device) < chance

    # A window of the frame: its center, pixels of the frame in one of the picture, turn, mirror.
    scale = wide / SIDE * torch.exp(torch.where(sometimes(0.6), uniform(-0.6, 0.05), uniform(-0.15, 0.05)))
    out_w = torch.where(sometimes(0.85), torch.full_like(wide, SIDE), uniform(0.55, 1.0) * SIDE).round()
    out_h = torch.where(out_w < SIDE, torch.full_like(wide, SIDE), (SIDE * high / wide * torch.exp(0.1 * normal())).clamp(0.5 * SIDE, SIDE).round())
    turn = 0.12 * normal() + torch.where(sometimes(0.25), math.pi / 2 * torch.randint(0, 4, (count,), device=device), torch.zeros_like(wide))
    mirror = torch.where(sometimes(0.5), -1.0, 1.0)
    middle = torch.stack([(wide - 1) / 2, (high - 1) / 2], 1)
    eyes = torch.where((eye > 0)[:, None], limbus[:, :2], middle)
    # With a closer window, its center goes to the eye.
    near = (scale / (wide / SIDE)).clamp(max=1)
    center = middle * near[:, None] + eyes * (1 - near[:, None])
    center = center + torch.stack([out_w, out_h], 1) * scale[:, None] * 0.1 * normal(2)
    if plain:
        scale, turn, mirror, center = wide / SIDE, 0 * turn, 0 * mirror + 1, middle
        out_w, out_h = torch.full_like(wide, SIDE), (high / scale).floor()
    c, s = torch.cos(turn) * scale, torch.sin(turn) * scale

    def source(x, y):
        u, v = (x - (out_w[:, None, None] - 1) / 2) * mirror[:, None, None], y - (out_h[:, None, None] - 1) / 2
        cc, ss = c[:, None, None], s[:, None, None]
        return center[:, 0, None, None] + cc * u - ss * v, center[:, 1, None, None] + ss * u + cc * v

    x, y = grid(count, SIDE, device)
    px = torch.minimum(x, out_w[:, None, None] - 1)
    py = torch.minimum(y, out_h[:, None, None] - 1)
    sx, sy = source(px, py)
    sx = torch.minimum(sx.clamp(min=0), wide[:, None, None] - 1)
    sy = torch.minimum(sy.clamp(min=0), high[:, None, None] - 1)
    where = torch.stack([2 * (sx + 0.5) / STORED - 1, 2 * (sy + 0.5) / STORED - 1], 3)
    levels = F.grid_sample(shown.pixels[index][:, None].float(), where, mode="bilinear", padding_mode="border", align_corners=False)[:, 0]
    levels = torch.where(bright[:, None, None] > 0, 255 - levels, levels)

    hx, hy = grid(count, SIDE // 2, device)
    mx, my = source(2 * hx + 0.5, 2 * hy + 0.5)
    unit = 2 * scale[:, None, None]
    seen = eye[:, None, None]
    maps = torch.stack([inside(pupil, mx, my, unit), inside(limbus, mx, my, unit), opened(lids, wide, mx, my, unit)], 1)
    maps = torch.where(seen[:, None] > 0, maps, torch.zeros_like(maps))
    counts = (2 * hx < out_w[:, None, None]) & (2 * hy < out_h[:, None, None])
    share = lambda part: 1 - (maps[:, part] * maps[:, 2] * counts).sum((1, 2)) / (maps[:, part] * counts).sum((1, 2)).clamp(min=1e-3)
    hidden = share(0)
    maps[:, 0] *= (hidden <= BLINK)[:, None, None]
    maps[:, 1] *= (share(1) <= 0.9)[:, None, None]
    there = (maps[:, 0] * counts).sum((1, 2)) > 0
    if not plain:
        levels = photographed(levels)
    return levels.clamp(0, 255).round(), maps, counts, torch.stack([there.float(), hidden, bright, scale, wide], 1)


def photographed(x):
    """Other resolutions, blur, light and noise; each kind for a part of the pictures."""
    n, device = len(x), x.device
    for k, share in enumerate((0.4, 0.6, 0.8)):
        part = slice(k * n // 12, (k + 1) * n // 12)
        size = int(share * SIDE)
        small = F.interpolate(x[part, None], (size, size), mode="bilinear", antialias=True)
        x[part] = F.interpolate(small, (SIDE, SIDE), mode="bilinear")[:, 0]
    for k, sigma in enumerate((0.6, 1.0, 1.6)):
        part = slice((6 + k) * n // 12, (7 + k) * n // 12)
        taps = torch.exp(-0.5 * (torch.arange(-4, 5, device=device) / sigma) ** 2)
        taps = (taps / taps.sum()).view(1, 1, 1, 9)
        padded = F.pad(x[part, None], (4, 4, 4, 4), mode="replicate")
        x[part] = F.conv2d(F.conv2d(padded, taps), taps.transpose(2, 3))[:, 0]
    one = lambda: torch.randn(n, 1, 1, device=device)
    axis = torch.linspace(-1, 1, SIDE, device=device)
    x = x * (1 + 0.2 * one() * axis + 0.2 * one() * axis[:, None]).clamp(0.3, 2)
    x = 255 * (x.clamp(0, 255) / 255) ** torch.exp(0.3 * one())
    x = x * torch.exp(0.3 * one()) + 15 * one()
    return x + torch.exp(0.8 * one() + 0.5) * torch.randn_like(x)
