"""Training pictures on the GPU: drawn vessels over erased photographs or made-up ground, noise, and the engine's contrast."""
import math

import torch
import torch.nn.functional as F


def blur(x, sigma):
    reach = max(1, math.ceil(3 * sigma))
    taps = torch.arange(-reach, reach + 1, device=x.device, dtype=x.dtype)
    taps = torch.exp(-taps**2 / (2 * sigma**2))
    taps = taps / taps.sum()
    x = F.conv2d(F.pad(x, (reach, reach, 0, 0), mode="replicate"), taps[None, None, None, :])
    return F.conv2d(F.pad(x, (0, 0, reach, reach), mode="replicate"), taps[None, None, :, None])


CELL = 4


def cells(values):
    return F.avg_pool2d(values, CELL)


def mean_near(sums, counts, half, times=2):
    """Means over squares of cells under a mask, and the number of samples; `half` in pixels."""
    reach = max(1, round(half / CELL))
    side = 2 * reach + 1
    for _ in range(times):
        sums, counts = (F.avg_pool2d(F.avg_pool2d(t, (side, 1), 1, (reach, 0)), (1, side), 1, (0, reach)) for t in (sums, counts))
    return sums / counts.clamp_min(1e-6), counts


def spread(coarse):
    return F.interpolate(coarse, scale_factor=float(CELL), mode="bilinear", align_corners=False)


def contrast(light, mask, half):
    """As `contrast_of` in photographs.py, of light about 1, in parts; 0 where nothing is near."""
    counts = cells(mask)
    cut = torch.minimum(light, 1.1 * spread(mean_near(cells(light * mask), counts, half)[0]))
    second = spread(mean_near(cells(cut * mask), counts, half)[0])
    percent = (cut - second) / (second + 0.25)
    near, weights = mean_near(cells(percent * mask), counts, half / 2, 1)
    near = spread(torch.where(weights > 1e-4, near, torch.zeros_like(near)))
    return torch.where(mask > 0, percent, near)


def standard(x, mask, jitter=0.0):
    """Divided by the standard deviation inside the field."""
    count = mask.sum((1, 2, 3), keepdim=True).clamp_min(1)
    mean = (x * mask).sum((1, 2, 3), keepdim=True) / count
    deviation = torch.sqrt((((x - mean) * mask) ** 2).sum((1, 2, 3), keepdim=True) / count).clamp_min(1e-4)
    if jitter:
        deviation = deviation * torch.exp(jitter * torch.randn_like(deviation))
    return x / deviation


def dct_matrix(device):
    k = torch.arange(8, device=device, dtype=torch.float32)
    matrix = torch.cos(math.pi * (2 * k[None, :] + 1) * k[:, None] / 16) * 0.5
    matrix[0] *= math.sqrt(0.5)
    return matrix


def compressed(x, step):
    """Blocks of 8x8 whose frequencies are rounded, the higher the coarser, as JPEG does."""
    d = dct_matrix(x.device)
    n, _, h, w = x.shape
    blocks = x.view(n, h // 8, 8, w // 8, 8).permute(0, 1, 3, 2, 4)
    frequencies = d @ blocks @ d.T
    k = torch.arange(8, device=x.device, dtype=torch.float32)
    steps = step.view(-1, 1, 1, 1, 1) * (1 + 0.6 * (k[:, None] + k[None, :]))
    frequencies = torch.round(frequencies / steps) * steps
    return (d.T @ frequencies @ d).permute(0, 1, 3, 2, 4).reshape(n, 1, h, w)


def affine(count, size, height, width, zoom, device):
    """Sampling grids of turned, mirrored and resized pieces of pictures."""
    angle = 2 * math.pi * torch.rand(count, device=device)
    scale = torch.exp(torch.empty(count, device=device).uniform_(math.log(zoom[0]), math.log(zoom[1])))
    mirror = torch.where(torch.rand(count, device=device) < 0.5, -1.0, 1.0)
    x = torch.empty(count, device=device).uniform_(-0.75, 0.75)
    y = torch.empty(count, device=device).uniform_(-0.7, 0.7)
    cos, sin = torch.cos(angle) / scale, torch.sin(angle) / scale
    theta = torch.zeros(count, 2, 3, device=device)
    theta[:, 0, 0], theta[:, 0, 1], theta[:, 0, 2] = mirror * cos * size / width, -sin * size / width, x
    theta[:, 1, 0], theta[:, 1, 1], theta[:, 1, 2] = mirror * sin * size / height, cos * size / height, y
    return F.affine_grid(theta, (count, 1, size, size), align_corners=False)


def ground(count, size, device):
    """Made-up texture: noise of many sizes."""
    out = torch.zeros(count, 1, size, size, device=device)
    side = 4
    while side <= size:
        amplitude = torch.rand(count, 1, 1, 1, device=device) ** 2 * (0.05 if side < 64 else 0.03)
        noise = torch.randn(count, 1, side, side, device=device)
        out += amplitude * F.interpolate(noise, (size, size), mode="bicubic", align_corners=False)
        side *= 2
    return out


def drawn(tiles, erased, size, jitter):
    """x, target and weight of a batch; `tiles`: uint8 channels of trees.py; `erased`: pictures in parts."""
    device = tiles.device
    n = tiles.shape[0]
    depth, mask, faint, other, field = (tiles[:, i : i + 1].float() / 255 for i in range(5))
    depth, other = depth * 255 / 400, (other * 255 - 128) / 127
    pick = torch.randint(len(erased), (n,), device=device)
    grid = affine(n, size, *erased.shape[-2:], (0.6, 1.9), device)
    photographs = F.grid_sample(erased[pick].float(), grid, padding_mode="reflection", align_corners=False)
    share = (torch.rand(n, 1, 1, 1, device=device) < 0.65).float()
    base = share * photographs * torch.empty(n, 1, 1, 1, device=device).uniform_(0.6, 1.3)
    base = base + ground(n, size, device) * torch.where(share > 0, 0.35, 1.0)
    low, high = blur(depth, 0.5), blur(depth, 1.4)
    amount = torch.rand(n, 1, 1, 1, device=device)
    depth = low + amount * (high - low)
    light = (1 + base).clamp_min(0.05) * (1 + other) * (1 - depth)
    white = torch.randn_like(light)
    noise = torch.where(torch.rand(n, 1, 1, 1, device=device) < 0.5, white, 2.2 * blur(white, 0.8))
    light = light + noise * torch.rand(n, 1, 1, 1, device=device) ** 2 * 0.07
    if torch.rand(()) < 0.4:
        light = compressed(light, torch.rand(n, device=device) ** 2 * 0.08 + 0.004)
    half = int([12, 18, 24, 32][torch.randint(4, ()).item()])
    inside = (field > 0.5).float()
    x = standard(contrast(light.clamp_min(0.02), inside, half), inside, jitter)
    doubtful = ((faint > 0.3) & (mask < 0.5)).float()
    return x.clamp(-8, 5), mask, inside * (1 - doubtful)


def real(pictures, labels, fields, count, size, jitter):
    """Pieces of photographs with probabilities found by a larger network."""
    device = pictures.device
    pick = torch.randint(len(pictures), (count,), device=device)
    grid = affine(count, size, *pictures.shape[-2:], (0.65, 1.7), device)
    stack = torch.cat([pictures[pick], labels[pick], fields[pick]], 1).float()
    x, target, inside = F.grid_sample(stack, grid, padding_mode="zeros", align_corners=False).split(1, 1)
    inside = (inside > 0.9).float()
    if torch.rand(()) < 0.5:
        x = x + torch.rand(count, 1, 1, 1, device=device) * (blur(x, 0.8) - x)
    x = x + torch.randn_like(x) * torch.rand(count, 1, 1, 1, device=device) ** 2 * 0.03
    return standard(x, inside, jitter).clamp(-8, 5), target, inside
