"""Scenes on the GPU: rendered heads on drawn and photographed backgrounds, as a camera takes them, with their truth."""
import math

import cv2
import numpy as np
import torch
import torch.nn.functional as F

SIDE = 160  # of a rendered head
ATLAS = 240
RECORD = 2 * SIDE * SIDE + 4 * 137
# Sides of faces that are learned, and below and above which they are neither right nor wrong.
SMALLEST, LARGEST = 14.0, 128.0
EYES = ([36, 37, 38, 39, 40, 41], [42, 43, 44, 45, 46, 47])


def geometry(points, roll):
    """Center, side, turn (clockwise, radians) and five points of heads, as detectors of upright faces place their boxes."""
    turn = -np.deg2rad(roll)
    right = np.stack([np.cos(turn), np.sin(turn)], 1)
    down = np.stack([-np.sin(turn), np.cos(turn)], 1)
    u, v = (points * right[:, None]).sum(2), (points * down[:, None]).sum(2)
    width, height = u.max(1) - u.min(1), v.max(1) - v.min(1)
    side = 1.05 * (width + height) / 2
    cu, cv = (u.max(1) + u.min(1)) / 2, (v.max(1) + v.min(1)) / 2 - 0.09 * side
    center = cu[:, None] * right + cv[:, None] * down
    five = np.stack([points[:, EYES[0]].mean(1), points[:, EYES[1]].mean(1), points[:, 30], points[:, 48], points[:, 54]], 1)
    return center, side, turn, five


class Heads:
    """Filled as shards come. Truth by head: center, side, turn, five points, in pixels of the render."""

    def __init__(self, most, device):
        self.count, self.device = 0, device
        self.atlas = torch.zeros(most, 2, SIDE, ATLAS, dtype=torch.uint8, device=device)
        self.truth = torch.zeros(most, 14, device=device)
        self.points = torch.zeros(most, 68, 2, device=device)
        self.away = torch.zeros(most, dtype=torch.bool, device=device)

    def add(self, bytes_):
        data = np.frombuffer(bytes_, np.uint8).reshape(-1, RECORD)
        numbers = data[:, 2 * SIDE * SIDE :].copy().view(np.float32)
        points = numbers[:, :136].reshape(-1, 68, 2)
        away = numbers[:, 136] > 500
        center, side, turn, five = geometry(points, numbers[:, 136] - 1000 * away)
        pictures = torch.from_numpy(data[:, : 2 * SIDE * SIDE].reshape(-1, 2, SIDE, SIDE).copy()).to(self.device).float()
        gray, alpha = pictures[:, :1], pictures[:, 1:] / 255
        level = torch.cat([gray * alpha, alpha * 255], 1)
        n = len(data)
        at = slice(self.count, self.count + n)
        self.atlas[at, :, :, :SIDE] = level.round().byte()
        for size, top in ((80, 0), (40, 80), (20, 120)):
            level = F.avg_pool2d(level, 2)
            self.atlas[at, :, top : top + size, SIDE : SIDE + size] = level.round().byte()
        rows = np.concatenate([center, side[:, None], turn[:, None], five.reshape(n, 10)], 1)
        self.truth[at] = torch.from_numpy(rows).float().to(self.device)
        self.points[at] = torch.from_numpy(points.copy()).to(self.device)
        self.away[at] = torch.from_numpy(away).to(self.device)
        self.count += n


def photographs_and_text(file, device):
    """What backgrounds.py wrote: gray pictures, and masks of 0 to 255."""
    packed = np.load(file)
    pictures = [cv2.imdecode(packed[k], cv2.IMREAD_GRAYSCALE) for k in packed.files if k != "text"]
    text = torch.from_numpy(255 * np.unpackbits(packed["text"], axis=-1)).to(device)
    return [torch.from_numpy(picture).float().to(device) for picture in pictures], text


def uniform(shape, low, high, device):
    return torch.rand(shape, device=device) * (high - low) + low


def leaves(count, side, device):
    """Disks, balls, bars, boxes and bundles of rods, as fingers, of power-law sizes over each other; then soft or grainy."""
    axis = torch.arange(side, device=device).float() / side
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    u = lambda low, high: uniform((count, 1, 1), low, high, device)
    picture = u(0.05, 0.95) + u(-0.4, 0.4) * (x - 0.5) + u(-0.4, 0.4) * (y - 0.5)
    for _ in range(np.random.randint(6, 90)):
        size = 0.015 * (0.7 / 0.015) ** u(0, 1) ** 2
        angle, cx, cy = u(0, math.pi), u(0, 1), u(0, 1)
        a = (torch.cos(angle) * (x - cx) + torch.sin(angle) * (y - cy)) / size
        b = (torch.cos(angle) * (y - cy) - torch.sin(angle) * (x - cx)) / (size * torch.exp(u(-1.8, 0.7)))
        kind = u(0, 1)
        inside = torch.where(kind < 0.5, (a * a + b * b < 1), (a.abs() < 1) & (b.abs() < 1))
        inside = inside & ((kind < 0.85) | (a * a + b * b > 0.6))
        # A quarter are round to the light: balls, and rods side by side with round ends.
        rods = torch.floor(u(1, 6))
        c = torch.remainder((b + 1) * rods / 2, 1) * 2 - 1
        end = a.abs() + 0.35 * size.reciprocal().clamp(max=1) * c * c + 0.25 * torch.sin(3 * torch.floor((b + 1) * rods / 2))
        finger = (end < 0.9) & (b.abs() < 1)
        depth = torch.where(kind < 0.5, 1 - a * a - b * b, 1 - c * c).clamp(min=0).sqrt()
        round_ = u(0, 1) < 0.3
        inside = torch.where(round_ & (kind >= 0.5), finger, inside)
        wave = torch.sin(a * u(1, 25) + u(0, 6)) * torch.sin(b * torch.where(u(0, 1) < 0.5, 0.0, 1.0) * u(1, 25) + 1.6)
        tone = u(0, 1) + u(-0.15, 0.15) * a + torch.where(u(0, 1) < 0.35, u(0, 0.3), torch.zeros_like(kind)) * wave
        tone = torch.where(round_, tone + u(0, 0.5) * (depth - 0.7) + u(-0.2, 0.2) * torch.where(kind < 0.5, b, c), tone)
        picture = torch.where(inside & (u(0, 1) < 0.75), tone, picture)
    if np.random.rand() < 0.4:
        grain = torch.randn(count, 1, side // 4, side // 4, device=device)
        for k in (side // 2, side):
            grain = F.interpolate(grain, (k, k), mode="bilinear", align_corners=False)
            grain = grain + torch.randn(count, 1, k, k, device=device) * float(np.random.uniform(0, 0.8))
        picture = picture + 0.12 * u(0, 1) * grain[:, 0]
    return (255 * picture.clamp(0, 1)).byte()


def crops(photographs, count, side, device):
    """Of photographs, of any size and turn."""
    out = torch.empty(count, side, side, dtype=torch.uint8, device=device)
    axis = (torch.arange(side, device=device).float() - side / 2) / side
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    for i in range(count):
        picture = photographs[np.random.randint(len(photographs))]
        h, w = picture.shape
        size = min(h, w) * np.random.uniform(0.25, 1.3)
        angle = np.random.choice([0, 0, 1.5708, 3.1416, 4.7124]) + np.random.normal(0, 0.15)
        cx, cy = np.random.uniform(0, w), np.random.uniform(0, h)
        flip = 1 if np.random.rand() < 0.5 else -1
        px = cx + size * (math.cos(angle) * x * flip - math.sin(angle) * y)
        py = cy + size * (math.sin(angle) * x * flip + math.cos(angle) * y)
        grid = torch.stack([px / w * 2 - 1, py / h * 2 - 1], 2)[None]
        level = F.grid_sample(picture[None, None], grid, padding_mode="reflection", align_corners=False)[0, 0]
        level = (level - 128) * np.exp(np.random.normal(0, 0.3)) + 128 + np.random.normal(0, 25)
        out[i] = (255 - level if np.random.rand() < 0.15 else level).clamp(0, 255).byte()
    return out


def written(pictures, masks):
    """Text over a quarter of the pictures."""
    for i in range(0, len(pictures), 4):
        mask = masks[np.random.randint(len(masks))].float() / 255
        shift = [int(v) for v in np.random.randint(0, mask.shape[-1], 2)]
        mask = torch.rot90(torch.roll(mask, shift, (0, 1)), np.random.choice([0, 0, 0, 1, 2, 3]), (0, 1))[: pictures.shape[1], : pictures.shape[2]]
        pictures[i] = (pictures[i] * (1 - mask) + np.random.uniform(0, 255) * mask).byte()
    return pictures


def backgrounds(photographs, masks, count, side, device, share=0.55):
    real = int(share * count)
    parts = [crops(photographs, real, side, device)]
    left = count - real
    while left > 0:
        n = min(64, left)
        parts.append(leaves(n, side, device))
        left -= n
    return written(torch.cat(parts), masks)


def place(count, slots, side, device):
    """Sides, centers and turns of faces that keep their distance, and whether there is one."""
    kind = torch.rand(count, 1, device=device)
    top = torch.where(kind < 0.35, 40.0, torch.where(kind < 0.85, 150.0, 330.0))
    sides = 10 * (top / 10) ** torch.rand(count, slots, device=device)
    sides[:, 0] = torch.where(kind[:, 0] > 0.85, uniform((count,), 100, 600, device), sides[:, 0])
    center = uniform((count, slots, 2), 0, side, device)
    wish = torch.floor(1 + (slots - 1) * torch.rand(count, 1, device=device) ** torch.where(kind < 0.35, 0.5, 2.0))
    wish = torch.where(torch.rand(count, 1, device=device) < 0.1, torch.zeros_like(wish), wish)
    valid = torch.arange(slots, device=device)[None] < wish
    apart = uniform((count,), 0.42, 0.75, device)
    for k in range(1, slots):
        far = (center[:, :k] - center[:, k : k + 1]).norm(dim=2) > apart[:, None] * (sides[:, :k] + sides[:, k : k + 1])
        valid[:, k] &= (far | ~valid[:, :k]).all(1)
    upright = torch.randn(count, slots, device=device) * 0.3
    angle = torch.where(torch.rand(count, 1, device=device) < 0.5, upright, uniform((count, slots), -math.pi, math.pi, device))
    return sides, center, angle, valid


def paste(scene, heads, index, side, center, angle, mirror, valid, scrambled, piece):
    """One head into each scene; its truth in pixels of the scene: center, side, turn, five points.

    Scrambled heads and pieces (what is beside the face: ear, hair, neck, clothes) are no faces."""
    count, size = scene.shape[0], scene.shape[-1]
    device = scene.device
    truth = heads.truth[index]
    scale = side / truth[:, 2]
    c, s = torch.cos(angle), torch.sin(angle)
    axis = torch.arange(size, device=device).float()
    dx = axis[None, None, :] - center[:, 0, None, None]
    dy = axis[None, :, None] - center[:, 1, None, None]
    px = mirror[:, None, None] * (c[:, None, None] * dx + s[:, None, None] * dy) / scale[:, None, None] + truth[:, 0, None, None]
    py = (c[:, None, None] * dy - s[:, None, None] * dx) / scale[:, None, None] + truth[:, 1, None, None]
    border = torch.minimum(torch.minimum(px, SIDE - 1 - px), torch.minimum(py, SIDE - 1 - py))
    fade = (border / uniform((count, 1, 1), 1, 16, device)).clamp(0, 1) * valid[:, None, None]
    way, far = uniform((count, 1, 1), 0, 2 * math.pi, device), truth[:, 2, None, None] * uniform((count, 1, 1), 0.75, 1.1, device)
    beside = torch.hypot(px - truth[:, 0, None, None] - far * torch.cos(way), py - truth[:, 1, None, None] - far * torch.sin(way))
    window = (0.42 * truth[:, 2, None, None] - beside).clamp(0, 1)
    fade = torch.where(piece[:, None, None], fade * window, fade)
    block = 20
    order = torch.rand(count, 64, device=device).argsort(1)
    at = (px.clamp(0, 159) // block + 8 * (py.clamp(0, 159) // block)).long()
    other = torch.gather(order, 1, at.view(count, -1)).view_as(at)
    sx, sy = (other % 8) * block + px % block, torch.div(other, 8, rounding_mode="floor") * block + py % block
    px, py = (torch.where(scrambled[:, None, None], q, p) for q, p in ((sx, px), (sy, py)))
    level = torch.round(torch.log2(1 / scale)).clamp(0, 3)
    part = 2**level
    left = torch.where(level > 0, SIDE, 0)
    top = torch.where(level > 1, torch.where(level > 2, 120, 80), 0)
    within = SIDE / part
    inside = lambda p: torch.minimum(((p + 0.5) / part[:, None, None]).clamp(min=0.5), within[:, None, None] - 0.5)
    gx, gy = inside(px) + left[:, None, None], inside(py) + top[:, None, None]
    grid = torch.stack([gx / ATLAS * 2 - 1, gy / SIDE * 2 - 1], 3)
    seen = F.grid_sample(heads.atlas[index].to(scene.dtype), grid.to(scene.dtype), align_corners=False)
    gain = torch.exp(0.3 * torch.randn(count, 1, 1, device=device)).to(scene.dtype)
    fade = fade.to(scene.dtype)
    cover = fade * seen[:, 1] / 255 > 0.5
    scene = scene * (1 - fade * seen[:, 1] / 255) + fade * (seen[:, 0] * gain).clamp(max=255)
    five = (truth[:, 4:].view(-1, 5, 2) - truth[:, None, :2]) * scale[:, None, None]
    five = torch.stack([five[..., 0] * mirror[:, None], five[..., 1]], 2)
    swapped = five[:, [1, 0, 2, 4, 3]]
    five = torch.where(mirror[:, None, None] < 0, swapped, five)
    five = torch.stack([c[:, None] * five[..., 0] - s[:, None] * five[..., 1], s[:, None] * five[..., 0] + c[:, None] * five[..., 1]], 2)
    turn = mirror * truth[:, 3] + angle
    return scene, torch.cat([center, side[:, None], turn[:, None], (five / side[:, None, None]).reshape(-1, 10)], 1), cover


TABLE = torch.tensor(
    [16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62]
    + [18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101]
    + [72, 92, 95, 98, 112, 100, 103, 99]
).float()
COSINES = torch.tensor([[math.cos((2 * x + 1) * k * math.pi / 16) * (0.5 if k else 0.125**0.5) for x in range(8)] for k in range(8)])


def coded(x, quality):
    """As JPEG codes a gray picture; `quality` by scene, 100 and above leaves it."""
    count, size = x.shape[0], x.shape[-1]
    d = COSINES.to(x.device, x.dtype)
    factor = torch.where(quality < 50, 50 / quality, 2 - quality / 50).clamp(min=0.02)
    table = (TABLE.to(x.device, x.dtype)[None] * factor[:, None]).clamp(min=1).view(count, 1, 8, 1, 8)
    blocks = (x - 128).view(count, size // 8, 8, size // 8, 8)
    spectrum = torch.einsum("ki,bminj,lj->bmknl", d, blocks, d)
    spectrum = torch.round(spectrum / table) * table
    back = torch.einsum("ki,bmknl,lj->bminj", d, spectrum, d).reshape(count, size, size) + 128
    return torch.where(quality[:, None, None] < 100, back, x)


def photographed(scene):
    """Light, blur, motion, noise, coding."""
    count, size = scene.shape[0], scene.shape[-1]
    device = scene.device
    u = lambda low, high: uniform((count, 1, 1), low, high, device)
    x = scene.float() / 255
    axis = torch.arange(size, device=device).float() / size - 0.5
    x = x * (1 + u(-0.5, 0.5) * axis[None, :, None] + u(-0.5, 0.5) * axis[None, None, :])
    x = x.clamp(1e-3, 1.5) ** torch.exp(0.3 * torch.randn(count, 1, 1, device=device))
    x = x * torch.where(u(0, 1) < 0.12, u(0.06, 0.4), torch.exp(0.15 * torch.randn(count, 1, 1, device=device)))
    x = x + torch.where(u(0, 1) < 0.2, u(0, 0.3), torch.zeros_like(u(0, 1)))
    sigma = torch.where(u(0, 1) < 0.6, u(0.25, 0.8), u(0.5, 1.7))
    k = torch.arange(-3, 4, device=device).float()
    angle, long = u(0, math.pi), torch.where(u(0, 1) < 0.15, u(0.5, 3), torch.zeros_like(sigma))
    a = torch.cos(angle) * k[None, None, :] + torch.sin(angle) * k[None, :, None]
    b = torch.cos(angle) * k[None, :, None] - torch.sin(angle) * k[None, None, :]
    kernel = torch.exp(-0.5 * (a * a / (sigma**2 + long**2) + b * b / sigma**2))
    kernel = kernel / kernel.sum((1, 2), keepdim=True)
    x = F.conv2d(F.pad(x[None], (3, 3, 3, 3), mode="reflect"), kernel[:, None], groups=count)[0]
    soft = F.avg_pool2d(x[:, None], 3, 1, 1, count_include_pad=False)[:, 0]
    x = x + torch.where(u(0, 1) < 0.3, u(0, 1.5), torch.zeros_like(sigma)) * (x - soft)
    x = x * 255 + torch.randn_like(x) * 14 * u(0, 1) ** 3
    quality = torch.where(torch.rand(count, device=device) < 0.6, uniform((count,), 25, 98, device), torch.full((count,), 100.0, device=device))
    return torch.round(coded(x, quality).clamp(0, 255))


def occluded(scene, owner=None, chance=0.35):
    """Bars in front of everything; their pixels belong to nobody."""
    count, size = scene.shape[0], scene.shape[-1]
    device = scene.device
    axis = torch.arange(size, device=device).float()
    for _ in range(2):
        u = lambda low, high: uniform((count, 1, 1), low, high, device)
        angle, cx, cy, w, h = u(0, math.pi), u(0, size), u(0, size), u(2, 12), u(8, size / 2)
        a = torch.cos(angle) * (axis[None, None, :] - cx) + torch.sin(angle) * (axis[None, :, None] - cy)
        b = torch.cos(angle) * (axis[None, :, None] - cy) - torch.sin(angle) * (axis[None, None, :] - cx)
        inside = (a.abs() < w) & (b.abs() < h) & (u(0, 1) < chance)
        scene = torch.where(inside, u(0, 255).to(scene.dtype), scene)
        if owner is not None:
            owner[inside] = -1
    return scene


@torch.no_grad()
def turned(x, truth, quarters, mirrored):
    """Scenes turned by quarters against the clock, and mirrored, with their truth."""
    last = x.shape[-1] - 1
    truth = truth.clone()
    for _ in range(quarters):
        x_, y_ = truth[..., 0].clone(), truth[..., 1].clone()
        truth[..., 0], truth[..., 1] = y_, last - x_
        truth[..., 3] -= math.pi / 2
        five = truth[..., 4:].reshape(*truth.shape[:-1], 5, 2)
        truth[..., 4:] = torch.stack([five[..., 1], -five[..., 0]], -1).flatten(-2)
    x = torch.rot90(x, quarters, (1, 2))
    if mirrored:
        x = x.flip(2)
        truth[..., 0] = last - truth[..., 0]
        truth[..., 3] *= -1
        five = truth[..., 4:].reshape(*truth.shape[:-1], 5, 2)[..., [1, 0, 2, 4, 3], :]
        truth[..., 4:] = (five * torch.tensor([-1.0, 1.0], device=x.device)).flatten(-2)
    return x.contiguous(), truth


@torch.no_grad()
def scenes(heads, first, last, pool, count, size, slots=14):
    """Pictures [count, size, size] of levels 0 to 255, before the camera; truth [count, slots, 14]; and what is seen of it:
    0: no face, 1: less than half of a face, 2: a face."""
    device = heads.device
    kind = torch.float16 if device != "cpu" else torch.float32
    start = np.random.randint(0, pool.shape[-1] - size + 1, 2)
    scene = pool[torch.randint(len(pool), (count,), device=device)][:, start[0] : start[0] + size, start[1] : start[1] + size].to(kind)
    if np.random.rand() < 0.5:
        scene = scene.flip(2)
    sides, center, angle, valid = place(count, slots, size, device)
    order = sides.argsort(1)
    sides, angle, valid = (torch.gather(t, 1, order) for t in (sides, angle, valid))
    center = torch.gather(center, 1, order[..., None].expand_as(center))
    lot = torch.rand(count, slots, device=device)
    fake, piece = lot < 0.06, (lot > 0.06) & (lot < 0.16)
    truths, away = [], []
    owner = torch.full(scene.shape, -1, dtype=torch.int8, device=device)
    for k in range(slots):
        index = torch.randint(first, last, (count,), device=device)
        mirror = torch.where(torch.rand(count, device=device) < 0.5, 1.0, -1.0)
        scene, truth, cover = paste(scene, heads, index, sides[:, k], center[:, k], angle[:, k], mirror, valid[:, k], fake[:, k], piece[:, k])
        owner[cover] = k
        truths.append(truth)
        away.append(heads.away[index])
    scene, truths = occluded(scene, owner).clamp(0, 255), torch.stack(truths, 1)
    face = valid & ~fake & ~piece & ~torch.stack(away, 1)
    parts = torch.stack([(inner(truths[:, k], size) & (owner == k)).sum((1, 2)) for k in range(slots)], 1)
    whole = parts > 0.5 * math.pi * (0.4 * truths[..., 2]) ** 2
    return scene, truths, face.to(torch.uint8) + (face & whole)


def inner(truth, size):
    """Of each face, the disk in its middle [count, size, size]."""
    axis = torch.arange(size, device=truth.device).float()
    x, y, side = (truth[:, i, None, None] for i in range(3))
    return (axis[None, None, :] - x) ** 2 + (axis[None, :, None] - y) ** 2 < (0.4 * side) ** 2


def seen(x, truth, state, least=3.0):
    """`state` of the faces that a photograph shows: those whose middle hardly differs from one gray are as hidden ones."""
    part = 4
    small = F.avg_pool2d(x[:, None], part)[:, 0]
    coarse = truth[..., :3] / part
    size = small.shape[-1]
    out = state.clone()
    for k in range(truth.shape[1]):
        disk = inner(torch.cat([coarse[:, k, :2], coarse[:, k, 2:].clamp(min=4)], 1), size).float()
        count = disk.sum((1, 2)).clamp(min=1)
        mean = (small * disk).sum((1, 2)) / count
        deviation = (((small - mean[:, None, None]) ** 2 * disk).sum((1, 2)) / count).sqrt()
        out[:, k] = torch.where(deviation < least, out[:, k].clamp(max=1), out[:, k])
    return out


def targets(truth, state, size, stride=8):
    """Heat [b, g, g], weight of it, numbers to learn [b, 15, g, g] and where they count."""
    valid = state > 0
    g = size // stride
    device = truth.device
    axis = (torch.arange(g, device=device).float() + 0.5) * stride - 0.5
    dx = truth[:, :, 0, None, None] - axis[None, None, None, :]
    dy = truth[:, :, 1, None, None] - axis[None, None, :, None]
    side = truth[:, :, 2, None, None]
    learned = (state > 1) & (truth[..., 2] >= SMALLEST) & (truth[..., 2] <= LARGEST)
    far = (dx * dx + dy * dy) / (2 * (0.11 * side).clamp(min=4.0) ** 2)
    near = (dx.abs() <= stride / 2 + 1e-3) & (dy.abs() <= stride / 2 + 1e-3)
    heat = torch.where(near, torch.ones_like(far), torch.exp(-far))
    away = ((dx * dx + dy * dy).sqrt() < torch.where(side < SMALLEST, 0.7 * side + 3, 0.35 * side)) & (valid & ~learned)[..., None, None]
    heat = heat * learned[..., None, None]
    best, which = heat.max(1)
    weight = (~away.any(1) | (best > 0.9)).float()
    pick = lambda t: torch.gather(t.expand_as(far), 1, which[:, None])[:, 0]
    number = lambda k: torch.gather(truth[..., k], 1, which.view(len(truth), -1)).view_as(best)
    numbers = [pick(dx) / stride, pick(dy) / stride, torch.log2(number(2) / 32), torch.cos(number(3)), torch.sin(number(3))]
    numbers += [number(4 + k) for k in range(10)]
    return best, weight, torch.stack(numbers, 1), (best > 0.45).float() * best, number(2).clamp(min=8)
