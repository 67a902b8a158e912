"""Renders eyes and trains the eye network.

python3 train.py --renderer "node render.mjs" --out FOLDER [--seconds 540] [--seed 1]
Writes eyes.pt, the compact form, and the errors on held-out eyes. A training may take several visits to a machine: --resume
OUT/state.pt goes on, with another --seed for new eyes, and the rate falls over --total seconds, or to the end of this visit with --last.
"""
import argparse
import glob
import math
import os
import subprocess
import sys
import threading
import time

import numpy as np
import torch
import torch.nn.functional as F

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..")]
import trainer  # noqa: E402
from compose import Shown, pictures  # noqa: E402
import export_eyes  # noqa: E402
from network import SIDE, Eyes  # noqa: E402

HELD = 9001  # seed of eyes that only measure
started = []  # renderers


def moments(map, counts):
    """Area, center and spread of maps [n, h, w], in cells."""
    map = map * counts
    area = map.sum((1, 2))
    axis = torch.arange(map.shape[1], device=map.device).float()
    whole = area.clamp(min=1.0)
    x, y = (map.sum(1) * axis).sum(1) / whole, (map.sum(2) * axis).sum(1) / whole
    return area, x, y


def losses(output, maps, counts, truth):
    output = output.float()
    weights = counts[:, None].float()
    cells = F.binary_cross_entropy_with_logits(output, maps, reduction="none") * weights
    place = cells.sum((2, 3)) / weights.sum((2, 3))
    p = output.sigmoid() * weights
    t = maps * weights
    overlap = 1 - (2 * (p * t).sum((2, 3)) + 1) / (p.sum((2, 3)) + t.sum((2, 3)) + 1)
    there = truth[:, 0]
    area, x, y = moments(p[:, 0], counts)
    area0, x0, y0 = moments(t[:, 0], counts)
    hidden = 1 - (p[:, 0] * p[:, 2]).sum((1, 2)) / area.clamp(min=1.0)
    share = (there * (hidden - truth[:, 1]).abs()).sum() / there.sum().clamp(min=1)
    return 10 * place[:, 0].mean() + 3 * place[:, 1:].mean() + overlap.mean() + share, share


@torch.no_grad()
def held_out(model, shown, count, log, rounds=8, batch=256):
    model.eval()
    torch.manual_seed(9)
    rows = []
    for plain in (True, False):
        for _ in range(rounds):
            x, maps, counts, truth = pictures(shown, 0, count, batch, plain)
            p = model(x[:, None] / 128).float().sigmoid()
            area, cx, cy = moments((p[:, 0] > 0.5).float(), counts)
            soft, _, _ = moments(p[:, 0], counts)
            area0, x0, y0 = moments(maps[:, 0], counts)
            iris, ix, iy = moments(p[:, 1], counts)
            iris0, ix0, iy0 = moments(maps[:, 1], counts)
            hidden = 1 - (p[:, 0] * p[:, 2] * counts).sum((1, 2)) / soft.clamp(min=1)
            rows.append(torch.stack([truth[:, 0], truth[:, 1], area, area0, (cx - x0).hypot(cy - y0), hidden, iris, iris0, (p[:, 2] * counts - maps[:, 2] * counts).abs().sum((1, 2)) / counts.sum((1, 2))], 1))
        v = torch.cat(rows)
        rows = []
        there, seen = v[:, 0] > 0, v[:, 2] > 4
        both = v[there & seen]
        iris = v[(v[:, 7] > 20) & (v[:, 6] > 20)]
        log("held-out eyes,", "as rendered:" if plain else "spoiled:",
            "found %.4f of %d, reported without %.4f of %d" % (seen[there].float().mean(), there.sum(), seen[~there].float().mean(), (~there).sum()),
            "center %.3f / %.3f of the radius (median, 90 %%)" % tuple((both[:, 4] / (both[:, 3] / math.pi).sqrt()).quantile(torch.tensor([0.5, 0.9], device=v.device)).tolist()),
            "size %.3f" % ((both[:, 2] / both[:, 3]).sqrt() - 1).abs().median(),
            "hidden %.3f / %.3f" % tuple((both[:, 5] - both[:, 1]).abs().quantile(torch.tensor([0.5, 0.9], device=v.device)).tolist()),
            "iris size %.3f" % ((iris[:, 6] / iris[:, 7]).sqrt() - 1).abs().median(), "opening %.4f" % v[:, 8].mean())  # fmt: skip
    model.train()


@torch.no_grad()
def normalized(model, shown, first, batch, rounds=60):
    """Measures means and variances again, because those of the trained weights do not fit their moving mean."""
    layers = [layer for layer in model.modules() if isinstance(layer, torch.nn.BatchNorm2d)]
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None
    model.train()
    for _ in range(rounds):
        model(pictures(shown, first, shown.count, batch)[0][:, None] / 128)
    model.eval()


def recorded(model, batch, device, log):
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
        sample = torch.rand(batch, 1, SIDE, SIDE, device=device).contiguous(memory_format=torch.channels_last)
        return torch.cuda.make_graphed_callables(half, (sample,))
    except Exception as error:
        log("not recorded:", error)
        return half


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--renderer", required=True, help="its command without folder, seed, first and count")
    parser.add_argument("--folder", default="/tmp/rendered-eyes")
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=540, help="from the start of the program to the end of training")
    parser.add_argument("--most", type=int, default=400000)
    parser.add_argument("--held", type=int, default=2048, help="eyes that only measure")
    parser.add_argument("--first", type=int, default=6000, help="eyes that training waits for")
    parser.add_argument("--workers", type=int, default=15)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--last-rate", type=float, default=1e-6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", help="state.pt of an earlier visit")
    parser.add_argument("--total", type=float, help="seconds of training in all visits; those of this one unless given")
    parser.add_argument("--last", action="store_true", help="the rate falls to its end in this visit")
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
    shown, seen, stop = Shown(o.most, device), set(), [False]
    alone = threading.Lock()  # nothing else may use the GPU while kernels are recorded

    def render(seed, first, count):
        started.append(subprocess.Popen(o.renderer.split() + [o.folder, str(seed), str(first), str(count)]))
        return started[-1]

    each = -(-o.held // o.workers // 64) * 64
    renders = [render(HELD, k, min(each, o.held - k)) for k in range(0, o.held, each)]
    for one in renders:
        one.wait()

    def take(file):
        with open(file, "rb") as f, alone:
            shown.add(f.read())
        seen.add(file)
        os.remove(file)

    for file in sorted(glob.glob(o.folder + "/eyes-%d-*.bin" % HELD)):
        take(file)
    held = shown.count
    log("held-out eyes", held)
    renders = [render(o.seed, 1000000 * k, 1000000) for k in range(o.workers)]

    def fill():
        while not stop[0] and shown.count < shown.most:
            for file in sorted(glob.glob(o.folder + "/eyes-%d-*.bin" % o.seed)):
                take(file)
            time.sleep(0.5)
        for one in renders:
            one.kill()

    threading.Thread(target=fill, daemon=True).start()
    while shown.count < held + o.first:
        time.sleep(0.5)
    log("eyes", shown.count)

    model = Eyes().to(device).to(memory_format=torch.channels_last).train()
    smooth = Eyes().to(device)
    smooth.load_state_dict(model.state_dict())
    log("parameters", sum(p.numel() for p in model.parameters()))
    optimizer = torch.optim.AdamW(model.parameters(), o.rate, weight_decay=1e-3, **({"fused": True} if device == "cuda" else {}))
    step, used = 0, 0.0
    if o.resume:
        state = torch.load(o.resume, map_location=device)
        for name, part in (("model", model), ("smooth", smooth), ("optimizer", optimizer)):
            part.load_state_dict(state[name])
        step, used = state["step"], state["used"]

    def save():
        torch.save(smooth.state_dict(), o.out + "/eyes.pt")
        whole = {"model": model.state_dict(), "smooth": smooth.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save({**whole, "step": step, "used": used + time.time() - start}, o.out + "/state.pt")

    with alone:
        run = recorded(model, o.batch, device, log)
    start = time.time()
    seconds = o.seconds - (start - began)
    total = used + seconds if o.last or not o.total else o.total
    while time.time() - start < seconds:
        done = min(1, (used + time.time() - start) / total)
        rate = o.rate * min(1, (step + 1) / 500) * (0.5 + 0.5 * math.cos(math.pi * done)) + o.last_rate
        for group in optimizer.param_groups:
            group["lr"] = rate
        x, maps, counts, truth = pictures(shown, held, shown.count, o.batch)
        output = run((x[:, None] / 128).contiguous(memory_format=torch.channels_last))
        loss, share = losses(output, maps, counts, truth)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        trainer.follow(smooth, model, step, 0.9995)
        if step % 500 == 0:
            log("step", step, "loss %.4f hidden %.4f" % (loss.item(), share.item()), "eyes", shown.count)
        if step % 4000 == 3999:
            save()
        step += 1
    log("steps", step, "eyes", shown.count)
    stop[0] = True
    for one in renders:
        one.kill()
    normalized(smooth, shown, held, o.batch)
    save()
    held_out(smooth, shown, held, log, batch=o.batch)
    export_eyes.main(o.out + "/eyes.pt", o.out + "/eyes.bin", o.out + "/answers.json")
    log("done")
    os._exit(0)


if __name__ == "__main__":
    try:
        main()
    finally:
        for one in started:
            one.kill()
