"""Trains the network of arteries and veins: a large one on drawn vessels, its answers on photographs, a small one on both.

python3 kinds.py --data FOLDER --out FOLDER [--seconds 150 150] [--seed 1]
The folder is as for train.py. Its input is a mosaic of two contrasts, green and red, of 2x2 pixels: green and red above, red and
green below. The first layer has a step of 2, so that each of its results sees both. The answer is the log-odds of an artery.
"""
import argparse
import glob
import multiprocessing
import os
import sys
import threading
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import cv2
import numpy as np
import torch
import torch.nn.functional as F

import compose
import photographs
import trees
from model import Network
from train import HELD, PIECE, TILE, TRAINING, read

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import trainer  # noqa: E402

DIAMETER = 600
SIZE = (890, 594)


def contrasts(picture, diameter):
    """Contrast of green and of red in percent of a photograph whose field is so wide at most, and its field."""
    found = photographs.field_of(picture)
    factor = min(1.0, diameter / np.sqrt((found > 127).sum() * 4 / np.pi))
    if factor < 1:
        picture = cv2.resize(picture, (round(picture.shape[1] * factor), round(picture.shape[0] * factor)), interpolation=cv2.INTER_AREA)
    field = photographs.field_of(picture)
    return [photographs.contrast_of(picture[:, :, channel], field) for channel in (1, 2)], field


def prepare(job):
    """Both contrasts of a photograph as they are, and of those to train on also without vessels, and where vessels are."""
    image, labels, seed = job
    cv2.setNumThreads(1)
    picture = read(image)
    standard = lambda percent, field: percent / max(1e-3, percent[field > 127].std())
    out = {"name": os.path.basename(image)[:-4], "erased": None}
    both, field = contrasts(picture, DIAMETER)
    out["seen"] = np.stack([standard(percent, field) for percent in both])
    out["labels"] = read(labels, True) if labels else None
    if seed is not None:
        both, field = contrasts(picture, TRAINING)
        lines, _, _ = photographs.vessels_by_lines(both[0], field, 0.11)
        erased = [photographs.erase(percent, field, np.random.default_rng(seed))[0] for percent in both]
        sized = lambda values: cv2.resize(np.float32(values), SIZE)
        out["erased"] = np.stack([sized(values) for values in erased])
        out["percent"] = np.stack([sized(standard(percent, field)) for percent in both])
        out["lines"] = sized(lines * 255)
    return out


def make_tiles(given):
    seed, count = given
    cv2.setNumThreads(1)
    return trees.tiles(seed, TILE, count, True)


def mosaic(both):
    """[n, 2, h, w] as [n, 1, h, w]."""
    height, width = both.shape[-2:]
    y, x = torch.meshgrid(torch.arange(height, device=both.device), torch.arange(width, device=both.device), indexing="ij")
    return torch.where((x + y) % 2 == 0, both[:, :1], both[:, 1:])


def drawn(tiles, erased, size):
    """Mosaic, whether arteries, and weight, of drawn vessels."""
    device, n = tiles.device, len(tiles)
    u = lambda low, high: torch.empty(n, 1, 1, 1, device=device).uniform_(low, high)
    chance = lambda share: torch.rand(n, 1, 1, 1, device=device) < share
    channel = lambda i: tiles[:, i : i + 1].float() / 255
    depth, other, field, artery, vein = channel(0) * 255 / 400, (channel(3) * 255 - 128) / 127, channel(4), channel(5) * 255 / 400, channel(6) * 255 / 400
    grid = compose.affine(n, size, *erased.shape[-2:], (0.6, 1.9), device)
    pick = torch.randint(len(erased), (n,), device=device)
    base = F.grid_sample(erased[pick].float(), grid, padding_mode="reflection", align_corners=False)
    share = chance(0.65).float()
    ground, more = compose.ground(n, size, device), compose.ground(n, size, device)
    base = share * base * u(0.6, 1.3) + torch.cat([ground, u(0.2, 1) * ground + u(0, 0.5) * more], 1) * torch.where(share > 0, 0.35, 1.0)
    # Depth in red over depth in green: 0.09 to 0.36 for nine vessels in ten of the 30 photographs. Veins are darker in red.
    # Some cameras show nothing in red, as it is too bright.
    ratio = u(0.04, 0.3)
    red = torch.maximum(artery * ratio, vein * (ratio * u(1.15, 3.0)).clamp(max=0.9))
    red = torch.where(chance(0.1), 0.2 * red, red)
    blurred = u(0.5, 1.4)
    low = [compose.blur(d, 0.5) + (blurred - 0.5) * (compose.blur(d, 1.4) - compose.blur(d, 0.5)) for d in (depth, red)]
    others = [other, other * u(0.2, 1.0)]
    inside = (field > 0.5).float()
    half = int([12, 18, 24, 32][torch.randint(4, ()).item()])
    step = torch.rand(n, device=device) ** 2 * 0.08 + 0.004 if torch.rand(()) < 0.4 else None
    seen = []
    for k in range(2):
        light = (1 + base[:, k : k + 1]).clamp_min(0.05) * (1 + others[k]) * (1 - low[k])
        white = torch.randn_like(light)
        light = light + torch.where(chance(0.5), white, 2.2 * compose.blur(white, 0.8)) * torch.rand(n, 1, 1, 1, device=device) ** 2 * 0.06
        light = light if step is None else compose.compressed(light, step)
        seen.append(compose.standard(compose.contrast(light.clamp_min(0.02), inside, half), inside, 0.15))
    a, v = (F.avg_pool2d(channel(k), 2) for k in (7, 8))
    sure = ((torch.maximum(a, v) > 0.5) & (torch.minimum(a, v) < 0.2)).float() * F.avg_pool2d(inside, 2)
    return mosaic(torch.cat(seen, 1).clamp(-8, 5)), (a > v).float(), sure


def real(pictures, labels, lines, count, size):
    """Pieces of photographs with the odds that a larger network found."""
    device = pictures.device
    pick = torch.randint(len(pictures), (count,), device=device)
    grid = compose.affine(count, size, *pictures.shape[-2:], (0.65, 1.7), device)
    stack = torch.cat([pictures[pick], labels[pick], lines[pick]], 1).float()
    x, target, where = F.grid_sample(stack, grid, padding_mode="zeros", align_corners=False).split((2, 1, 1), 1)
    x = x + torch.randn_like(x) * torch.rand(count, 1, 1, 1, device=device) ** 2 * 0.03
    target = F.avg_pool2d(target, 2)
    return mosaic(x.clamp(-8, 5)), target, (F.avg_pool2d(where, 2) > 0.6).float() * (2 * target - 1).abs()


def answers(model, x):
    """Odds of arteries at half the size, the mean over turns and mirrors."""
    total = 0
    height, width = x.shape[-2:]
    for turn in range(4):
        for mirrored in (False, True):
            y = torch.rot90(x, turn, (2, 3))
            y = mosaic(torch.flip(y, (3,)) if mirrored else y)
            bottom, right = -y.shape[-2] % 16, -y.shape[-1] % 16
            p = model(F.pad(y, (0, right, 0, bottom), mode="replicate")).float()
            p = torch.sigmoid(p)[..., : (y.shape[-2] + 1) // 2, : (y.shape[-1] + 1) // 2]
            p = torch.flip(p, (3,)) if mirrored else p
            total = total + torch.rot90(p, -turn, (2, 3))
    return total / 8


def border(odds):
    """The threshold with the least spread on both sides (Otsu 1979)."""
    values = np.sort(np.asarray(odds, np.float64))
    values = values[:: max(1, len(values) // 4000)]
    counts = np.arange(1, len(values))
    sums, squares = np.cumsum(values)[:-1], np.cumsum(values**2)[:-1]
    spread = squares - sums**2 / counts + ((values**2).sum() - squares) - (values.sum() - sums) ** 2 / (len(values) - counts)
    best = int(np.argmin(spread))
    return (values[best] + values[best + 1]) / 2


@torch.no_grad()
def evaluate(model, sets, device, log, title, whole):
    """Share of labeled pixels whose kind is right, divided in each photograph: all, and those of vessels wider than 5 pixels."""
    model.eval()
    for s in sets:
        if s["labels"] is None:
            continue
        x = torch.from_numpy(s["seen"]).float().to(device)[None].clamp(-8, 5)
        if whole:
            p = answers(model, x)
        else:
            y = mosaic(x)
            bottom, right = -y.shape[-2] % 16, -y.shape[-1] % 16
            p = torch.sigmoid(model(F.pad(y, (0, right, 0, bottom), mode="replicate")).float())[..., : (y.shape[-2] + 1) // 2, : (y.shape[-1] + 1) // 2]
        p = F.interpolate(p, s["labels"].shape, mode="bilinear", align_corners=False)[0, 0].cpu().numpy()
        known = (s["labels"] == 1) | (s["labels"] == 2)
        wide = known & (cv2.erode((s["labels"] > 0).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0)
        odds = np.log(p.clip(1e-6, 1 - 1e-6)) - np.log1p(-p.clip(1e-6, 1 - 1e-6))
        level = border(odds[wide])
        right = (odds > level) == (s["labels"] == 1)
        middle = cv2.erode((s["labels"] == 1).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        vein = cv2.erode((s["labels"] == 2).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        log(title, s["name"], "level %.2f all %.4f wide %.4f arteries %.4f veins %.4f" % (level, right[known].mean(), right[wide].mean(), right[middle].mean(), right[vein].mean()))
    model.train()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, nargs=2, default=[150, 150])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=15)
    parser.add_argument("--pool", type=int, default=24000)
    parser.add_argument("--first", type=int, default=600)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--sizes", type=int, nargs=4, default=[10, 24, 36, 44])
    parser.add_argument("--teacher", type=int, nargs=4, default=[32, 64, 96, 128])
    parser.add_argument("--photographs", type=int, default=999)
    o = parser.parse_args()

    log = trainer.logger(o.out)

    torch.manual_seed(o.seed)
    np.random.seed(o.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    workers = multiprocessing.get_context("fork" if device == "cpu" else "spawn").Pool(o.workers)
    jobs = []
    for image in sorted(glob.glob(o.data + "/hrf/*.jpg"))[: o.photographs]:
        if os.path.basename(image)[:-4] not in HELD:
            jobs.append((image, None, len(jobs)))
    jobs += [(image, image[:-4] + "_av.png", None) for image in sorted(glob.glob(o.data + "/fundus/hrf/*.jpg"))]
    prepared = workers.map_async(prepare, jobs, 1)
    chunk = 8
    stream = workers.imap_unordered(make_tiles, ((o.seed * 1000003 + i, chunk) for i in range(o.pool // chunk)))
    pool = torch.empty(o.pool, 9, TILE, TILE, dtype=torch.uint8, device=device)
    filled = [0]

    def fill():
        for tiles in stream:
            pool[filled[0] : filled[0] + len(tiles)] = torch.from_numpy(tiles).to(device)
            filled[0] += len(tiles)

    threading.Thread(target=fill, daemon=True).start()
    sets = prepared.get()
    log("photographs", len(sets))
    training = [s for s in sets if s["erased"] is not None]
    stacked = lambda key, scale=1.0: torch.from_numpy(np.stack([s[key] * scale for s in training])).to(device).half().float()
    erased, pictures, lines = stacked("erased", 1 / 125), stacked("percent"), stacked("lines", 1 / 255)[:, None]
    while filled[0] < o.first:
        time.sleep(0.2)
    log("tiles", filled[0])

    def train(model, seconds, labels, title):
        model.to(device).to(memory_format=torch.channels_last).train()
        smooth = Network(model.sizes, 2).to(device)
        smooth.load_state_dict(model.state_dict())
        optimizer = torch.optim.AdamW(model.parameters(), 4e-3, weight_decay=1e-3)
        start, step = time.time(), 0
        while (done := (time.time() - start) / seconds) < 1:
            for group in optimizer.param_groups:
                group["lr"] = 4e-3 * min(1, (step + 1) / 200) * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
            with torch.no_grad():
                count = o.batch if labels is None else o.batch // 2
                oy, ox = np.random.randint(0, TILE - PIECE + 1, 2)
                tiles = pool[torch.randint(filled[0], (count,), device=device)][:, :, oy : oy + PIECE, ox : ox + PIECE]
                tiles = torch.rot90(tiles, np.random.randint(4), (2, 3))
                tiles = tiles.flip(3) if np.random.rand() < 0.5 else tiles
                x, target, weight = drawn(tiles, erased, PIECE)
                if labels is not None:
                    more = real(pictures, labels, lines, o.batch - count, PIECE)
                    x, target, weight = (torch.cat(pair) for pair in zip((x, target, weight), more))
                x = x.contiguous(memory_format=torch.channels_last)
            with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
                logits = model(x)
            loss = (F.binary_cross_entropy_with_logits(logits.float(), target, reduction="none") * weight).sum() / weight.sum().clamp(min=1)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            trainer.follow(smooth, model, step)
            if step % 200 == 0:
                log(title, "step", step, "loss %.4f" % loss.item(), "tiles", filled[0])
            if step % 2000 == 1999:
                evaluate(smooth, sets, device, log, title, False)
                smooth.train()
            step += 1
        log(title, "steps", step)
        torch.save(smooth.state_dict(), o.out + "/" + title + ".pt")
        return smooth

    teacher = train(Network(tuple(o.teacher), 2), o.seconds[0], None, "teacher")
    evaluate(teacher, sets, device, log, "teacher averaged", True)
    teacher.eval()
    with torch.no_grad():
        found = torch.cat([answers(teacher, x[None].clamp(-8, 5)) for x in pictures])
        labels = F.interpolate(found, pictures.shape[-2:], mode="bilinear", align_corners=False)
        # The level of the odds differs between photographs. The small network learns to divide each at its own.
        odds = torch.logit(labels.clamp(1e-6, 1 - 1e-6))
        levels = [border(one[line > 0.6].cpu().numpy()) for one, line in zip(odds, lines)]
        log("levels", " ".join("%.2f" % level for level in levels))
        labels = torch.sigmoid(odds - torch.tensor(levels, device=device, dtype=odds.dtype)[:, None, None, None])
    cv2.imwrite(o.out + "/label.png", (255 * labels[0, 0] * lines[0, 0]).byte().cpu().numpy())
    student = train(Network(tuple(o.sizes), 2), o.seconds[1], labels, "student")
    evaluate(student, sets, device, log, "student", False)
    log("done")
    workers.terminate()
    os._exit(0)


if __name__ == "__main__":
    main()
