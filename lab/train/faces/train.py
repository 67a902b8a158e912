"""Renders heads, composes scenes and trains the face detector.

python3 train.py --renderer "node render.mjs ict-face.bin" --backgrounds backgrounds.npz --out FOLDER [--seconds 400] [--heads 9000] [--seed 1]
Writes detector.pt, a table on held-out heads, and the heads themselves (heads-*.bin.xz with --keep).
"""
import argparse
import glob
import os
import subprocess
import sys
import threading
import time

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import compose  # noqa: E402
import trainer  # noqa: E402
from detector import Detector, STRIDE, read  # noqa: E402


def losses(output, target):
    heat, weight, numbers, counts, side = target
    logit = output[:, 0].float()
    p = torch.sigmoid(logit)
    # Quality focal loss: the odds follow how near the center is.
    each = F.binary_cross_entropy_with_logits(logit, heat, reduction="none") * (heat - p).abs() ** 2
    score = 4 * (each * weight).sum() / heat.sum().clamp(min=1)
    error = (output[:, 1:].float() - numbers).abs()
    scale = (16 / side)[:, None]
    each = (error[:, :2] * scale).sum(1) + 1.5 * error[:, 2] + 0.4 * error[:, 3:5].sum(1) + 0.3 * error[:, 5:].sum(1)
    return score, (each * counts).sum() / counts.sum().clamp(min=1)


def decode(output, less, most=60):
    """Boxes of each picture: x, y of the center, side, log-odds, best first, without those that lie on a better one."""
    logit = output[:, 0].float()
    peak = F.max_pool2d(logit[:, None], 3, 1, 1)[:, 0]
    out = []
    for b in range(len(output)):
        ys, xs = torch.nonzero((logit[b] > less) & (logit[b] == peak[b]), as_tuple=True)
        v = output[b, :, ys, xs].float()
        boxes = torch.stack([(xs + 0.5) * STRIDE - 0.5 + v[1] * STRIDE, (ys + 0.5) * STRIDE - 0.5 + v[2] * STRIDE, 32 * 2 ** v[3], v[0]], 1)
        boxes = boxes[boxes[:, 3].argsort(descending=True)][:most].cpu().numpy()
        kept = []
        for box in boxes:
            if all(overlap(box, other) < 0.3 for other in kept):
                kept.append(box)
        out.append(kept)
    return out


def overlap(a, b):
    w = min(a[0] + a[2] / 2, b[0] + b[2] / 2) - max(a[0] - a[2] / 2, b[0] - b[2] / 2)
    h = min(a[1] + a[2] / 2, b[1] + b[2] / 2) - max(a[1] - a[2] / 2, b[1] - b[2] / 2)
    common = max(0, w) * max(0, h)
    return common / (a[2] ** 2 + b[2] ** 2 - common)


@torch.no_grad()
def table(model, heads, held, pool, log, rounds=20, count=32, size=256):
    """Found and other boxes of scenes with held-out heads by level, and by size and turn at the best one."""
    model.eval()
    torch.manual_seed(9)
    np.random.seed(9)
    rows, others, pictures = [], [], 0
    for _ in range(rounds):
        x, truth, state = compose.scenes(heads, 0, held, pool, count, size)
        x = compose.photographed(x)
        state = compose.seen(x, truth, state).cpu().numpy()
        boxes = decode(model(x[:, None] / 128), -6)
        truth = truth.cpu().numpy()
        pictures += count
        for b in range(count):
            left = list(boxes[b])
            for t, shown in zip(truth[b][state[b] > 0], state[b][state[b] > 0] > 1):
                inside = t[2] * 0.3 < t[0] < size - t[2] * 0.3 and t[2] * 0.3 < t[1] < size - t[2] * 0.3
                counted = shown and compose.SMALLEST * 1.1 < t[2] < compose.LARGEST * 0.9 and inside
                best = max(left, key=lambda box: overlap(box, t), default=None)
                met = best is not None and overlap(best, t) >= (0.5 if counted else 0.25)
                if met:
                    left = [box for box in left if box is not best]
                if counted:
                    rows.append((t[2], abs((np.degrees(t[3]) + 180) % 360 - 180), best[3] if met else -99))
            others += [box[3] for box in left if 2 * compose.SMALLEST / 3 < box[2]]
    rows, others = np.array(rows), np.array(others)
    best = (0, 0)
    for level in np.arange(-4, 4.01, 0.2):
        found, other = (rows[:, 2] > level).mean(), (others > level).sum() / pictures
        f1 = 2 * found * len(rows) / (found * len(rows) + len(rows) - found * len(rows) + found * len(rows) + (others > level).sum())
        log("level %.2f found %.4f other %.4f f1 %.4f" % (level, found, other, f1))
        best = max(best, (f1, level))
    level = best[1]
    log("best level", level, "of", len(rows), "faces in", pictures, "scenes")
    for low, high in ((14, 20), (20, 32), (32, 64), (64, 130)):
        chosen = rows[(rows[:, 0] >= low) & (rows[:, 0] < high)]
        log("side %d to %d: found %.4f of %d" % (low, high, (chosen[:, 2] > level).mean(), len(chosen)))
    for low, high in ((0, 30), (30, 60), (60, 120), (120, 181)):
        chosen = rows[(rows[:, 1] >= low) & (rows[:, 1] < high)]
        log("turned %d to %d: found %.4f of %d" % (low, high, (chosen[:, 2] > level).mean(), len(chosen)))
    model.train()
    return level


def quick(model, o, device, log):
    """The model in bfloat16, its kernels recorded once where that works."""
    if device == "cpu":
        return model

    class Half(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, x):
            with torch.autocast("cuda", torch.bfloat16, cache_enabled=False):
                return self.model(x)

    half = Half()
    try:
        sample = torch.rand(o.batch, 1, o.size, o.size, device=device).contiguous(memory_format=torch.channels_last)
        recorded = torch.cuda.make_graphed_callables(half, (sample,))
        log("recorded")
        return recorded
    except Exception as error:
        log("not recorded:", error)
        return half


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--renderer", help="its command without folder, first and count")
    parser.add_argument("--folder", default="/tmp/heads")
    parser.add_argument("--backgrounds", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=400)
    parser.add_argument("--heads", type=int, default=9000)
    parser.add_argument("--held", type=int, default=400, help="heads, the first that come, that only measure")
    parser.add_argument("--first", type=int, default=1200, help="heads that training waits for")
    parser.add_argument("--render-seconds", type=float, default=1e9)
    parser.add_argument("--workers", type=int, default=15)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--chunk", type=int, default=192, help="scenes composed every third step")
    parser.add_argument("--ring", type=int, default=60000, help="scenes that are kept")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--pool", type=int, default=6000)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from-model", help="weights to begin with: a .pt of this script, or the engine's .bin")
    parser.add_argument("--level", type=float, default=-0.4, help="log-odds that were taken off in the .bin")
    o = parser.parse_args()
    began = time.time()
    os.makedirs(o.folder, exist_ok=True)

    log = trainer.logger(o.out)

    torch.manual_seed(o.seed)
    np.random.seed(o.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if device == "cuda":
        torch.backends.cudnn.benchmark = True
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    renders = []
    if o.renderer:
        each = -(-o.heads // o.workers // 50) * 50
        for k in range(o.workers):
            command = o.renderer.split() + [o.folder, str(1000000 * o.seed + k * each), str(each)]
            renders.append(subprocess.Popen(command))
    heads = compose.Heads(o.heads + 2000, device)
    seen, stop = set(), [False]

    def fill():
        while not stop[0]:
            for file in sorted(glob.glob(o.folder + "/heads-*.bin")):
                if file in seen or heads.count + 50 > len(heads.atlas):
                    continue
                with open(file, "rb") as f:
                    heads.add(f.read())
                seen.add(file)
            if time.time() - began > o.render_seconds:
                for render in renders:
                    render.kill()
            time.sleep(1)

    threading.Thread(target=fill, daemon=True).start()
    photographs, text = compose.photographs_and_text(o.backgrounds, device)
    pool = compose.backgrounds(photographs, text, o.pool, 512 if o.size >= 256 else 2 * o.size, device)
    log("backgrounds", len(pool), "heads", heads.count)
    while heads.count < o.first:
        time.sleep(0.5)
    log("heads", heads.count)

    model = Detector().to(device).to(memory_format=torch.channels_last).train()
    if o.from_model and o.from_model.endswith(".bin"):
        x, _, _ = compose.scenes(heads, o.held, heads.count, pool, 64, o.size)
        read(model, o.from_model, o.level, compose.photographed(x)[:, None] / 128)
        model.train()
    elif o.from_model:
        model.load_state_dict(torch.load(o.from_model, map_location=device))
    smooth = Detector().to(device)
    smooth.load_state_dict(model.state_dict())
    log("parameters", sum(p.numel() for p in model.parameters()))
    optimizer = torch.optim.AdamW(model.parameters(), o.rate, weight_decay=1e-4, **({"fused": True} if device == "cuda" else {}))
    run = quick(model, o, device, log)
    # Composed scenes, the oldest replaced all the time; each is taken several times, turned and photographed again.
    ring = torch.zeros(o.ring, o.size, o.size, dtype=torch.uint8, device=device)
    truths, states = torch.zeros(o.ring, 14, 14, device=device), torch.zeros(o.ring, 14, dtype=torch.uint8, device=device)
    filled, at = 0, 0

    def more():
        nonlocal filled, at
        n = min(o.chunk, o.ring - at)
        x, truth, state = compose.scenes(heads, o.held, heads.count, pool, n, o.size)
        ring[at : at + n], truths[at : at + n], states[at : at + n] = x.round().byte(), truth, state
        at = (at + n) % o.ring
        filled = max(filled, at) if filled < o.ring and at else o.ring

    while filled < min(o.ring, 20 * o.chunk):
        more()
    log("scenes", filled)
    step, start = 0, time.time()
    while True:
        done = (time.time() - start) / o.seconds
        if done >= 1:
            break
        rate = o.rate * min(1, (step + 1) / 300) * (0.5 + 0.5 * np.cos(np.pi * done)) + 1e-6
        for group in optimizer.param_groups:
            group["lr"] = rate
        if step % 3 == 0:
            more()
        with torch.no_grad():
            index = torch.randint(filled, (o.batch,), device=device)
            x, truth = compose.turned(ring[index], truths[index], np.random.choice([0, 0, 0, 1, 2, 3]), np.random.rand() < 0.5)
            x = compose.photographed(x)
            target = compose.targets(truth, compose.seen(x, truth, states[index]), o.size)
            x = (x[:, None] / 128).contiguous(memory_format=torch.channels_last)
        output = run(x)
        score, numbers = losses(output, target)
        optimizer.zero_grad(set_to_none=True)
        (score + numbers).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        trainer.follow(smooth, model, step)
        if step % 200 == 0:
            log("step", step, "score %.4f numbers %.4f" % (score.item(), numbers.item()), "heads", heads.count)
        if step % 2000 == 1999:
            torch.save(smooth.state_dict(), o.out + "/detector.pt")
        step += 1
    log("steps", step, "heads", heads.count)
    torch.save(smooth.state_dict(), o.out + "/detector.pt")
    stop[0] = True
    for render in renders:
        render.kill()
    level = table(smooth, heads, o.held, pool, log, o.rounds)
    with open(o.out + "/level.txt", "w") as file:
        file.write("%.2f\n" % level)
    log("done")
    os._exit(0)


if __name__ == "__main__":
    main()
