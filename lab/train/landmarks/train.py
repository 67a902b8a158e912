"""Renders heads and trains the landmark network.

python3 train.py --renderer "node render.mjs ict-face.bin" --backgrounds backgrounds.npz --out FOLDER [--seconds 400] [--heads 9000] [--seed 1]
Writes landmarks.pt, the compact form, and the error on held-out heads. Heads of earlier runs in --folder are used again.
A training may take several visits to a machine: --resume OUT/state.pt goes on, with another --seed for new heads, and the rate falls
over --total seconds, or to the end of this visit with --last.
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

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in ("../faces", "..")]
import compose  # noqa: E402
import export_landmarks  # noqa: E402
import trainer  # noqa: E402
from network import MARGIN, POINTS, SIDE, Landmarks, decode  # noqa: E402

HELD = 9000000  # the first seed of heads that only measure
PAIRS = [(i, 16 - i) for i in range(8)] + [(17 + i, 26 - i) for i in range(5)] + [(31, 35), (32, 34)]
PAIRS += [(36, 45), (37, 44), (38, 43), (39, 42), (41, 46), (40, 47)]
PAIRS += [(48, 54), (49, 53), (50, 52), (60, 64), (61, 63), (67, 65), (59, 55), (58, 56)]
MIRRORED = list(range(POINTS))
for left, right in PAIRS:
    MIRRORED[left], MIRRORED[right] = right, left


def coarse(x):
    """A part of the pictures has a third to a whole of its resolution."""
    for share in (0.35, 0.5, 0.7):
        part = slice(int(share * 0.1 * len(x)), int(share * 0.1 * len(x)) + len(x) // 10)
        size = max(8, int(share * SIDE))
        small = F.interpolate(x[part, None], (size, size), mode="bilinear", antialias=True)
        x[part] = F.interpolate(small, (SIDE, SIDE), mode="bilinear")[:, 0]
    return x


@torch.no_grad()
def faces(heads, first, last, pool, count):
    """Pictures [count, SIDE, SIDE] of levels and the points in their pixels."""
    device = heads.device
    kind = torch.float16 if device != "cpu" else torch.float32
    start = np.random.randint(0, pool.shape[-1] - SIDE + 1, 2)
    scene = pool[torch.randint(len(pool), (count,), device=device)][:, start[0] : start[0] + SIDE, start[1] : start[1] + SIDE].to(kind)
    index = first + torch.nonzero(~heads.away[first:last])[:, 0]
    index = index[torch.randint(len(index), (count,), device=device)]
    mirror = torch.where(torch.rand(count, device=device) < 0.5, 1.0, -1.0)
    truth, points = heads.truth[index], heads.points[index]
    normal = lambda *shape: torch.randn(*shape, device=device)
    loose = torch.where(torch.rand(count, device=device) < 0.5, 1.0, 2.2)
    side = SIDE / MARGIN * torch.exp(0.06 * loose * normal(count))
    center = (SIDE - 1) / 2 + SIDE / MARGIN * 0.03 * loose[:, None] * normal(count, 2)
    angle = -mirror * truth[:, 3] + math.radians(6) * loose * normal(count)
    always = torch.ones(count, dtype=torch.bool, device=device)
    scene, _, _ = compose.paste(scene, heads, index, side, center, angle, mirror, always, ~always, ~always)
    moved = (points - truth[:, None, :2]) * (side / truth[:, 2])[:, None, None]
    moved = torch.stack([moved[..., 0] * mirror[:, None], moved[..., 1]], 2)
    moved = torch.where(mirror[:, None, None] < 0, moved[:, MIRRORED], moved)
    c, s = torch.cos(angle)[:, None], torch.sin(angle)[:, None]
    moved = torch.stack([c * moved[..., 0] - s * moved[..., 1], s * moved[..., 0] + c * moved[..., 1]], 2)
    x = compose.photographed(coarse(compose.occluded(scene, chance=0.25).clamp(0, 255).float()))
    return x, moved + center[:, None]


def losses(output, truth):
    points, error = decode(output)
    far = ((points - truth).square().sum(2) + 0.01).sqrt() * (MARGIN / SIDE)
    place = torch.log1p(far / 0.02)  # small errors count as much as large ones
    spread = error.clamp(-7, 1)
    return place.mean(), (far.detach() * torch.exp(-spread) + spread).mean(), far


@torch.no_grad()
def held_out(model, heads, held, pool, log, rounds=20):
    model.eval()
    torch.manual_seed(9)
    np.random.seed(9)
    far, spreads = [], []
    for _ in range(rounds):
        x, truth = faces(heads, 0, held, pool, 256)
        points, error = decode(model(x[:, None] / 128))
        eyes = (truth[:, 36] - truth[:, 45]).norm(dim=1).clamp(min=SIDE / MARGIN * 0.3)
        far.append((points - truth).norm(dim=2) / eyes[:, None])
        spreads.append(((points - truth).norm(dim=2) * MARGIN / SIDE / torch.exp(error)).median())
    far = torch.cat(far)
    log("held-out heads: error %.4f of the eyes' distance, median %.4f" % (far.mean().item(), far.mean(1).median().item()))
    log("error over its estimate, median %.3f" % torch.stack(spreads).mean().item())
    model.train()


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
    parser.add_argument("--renderer", help="its command without folder, first and count")
    parser.add_argument("--folder", default="/tmp/heads")
    parser.add_argument("--backgrounds", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=400, help="from the start of the program to the end of training")
    parser.add_argument("--heads", type=int, default=9000, help="heads to render in this run")
    parser.add_argument("--most", type=int, default=40000)
    parser.add_argument("--held", type=int, default=400, help="heads that only measure, a multiple of 50")
    parser.add_argument("--first", type=int, default=1500, help="heads that training waits for")
    parser.add_argument("--workers", type=int, default=15)
    parser.add_argument("--batch", type=int, default=384)
    parser.add_argument("--pool", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--last-rate", type=float, default=1e-6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from-model", help="weights to begin with")
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
    heads, seen, stop = compose.Heads(o.most, device), set(), [False]
    alone = threading.Lock()  # nothing else may use the GPU while kernels are recorded
    held = ["%s/heads-%07d.bin" % (o.folder, HELD + k) for k in range(0, o.held, 50)]
    missing = [k for k, file in enumerate(held) if not os.path.exists(file)]
    for render in [subprocess.Popen(o.renderer.split() + [o.folder, str(HELD + 50 * k), "50"]) for k in missing]:
        render.wait()

    def take(file):
        with open(file, "rb") as f, alone:
            heads.add(f.read())
        seen.add(file)

    for file in held:
        take(file)
    renders = []
    if o.renderer:
        each = -(-o.heads // o.workers // 50) * 50
        for k in range(o.workers):
            renders.append(subprocess.Popen(o.renderer.split() + [o.folder, str(1000000 * o.seed + k * each), str(each)]))

    def fill():
        while not stop[0]:
            for file in sorted(glob.glob(o.folder + "/heads-*.bin")):
                if file in seen or heads.count + 50 > o.most:
                    continue
                take(file)
            time.sleep(1)

    threading.Thread(target=fill, daemon=True).start()
    photographs, text = compose.photographs_and_text(o.backgrounds, device)
    pool = compose.backgrounds(photographs, text, o.pool, 256, device)
    while heads.count < max(o.first, o.held + 50):
        time.sleep(0.5)
    log("heads", heads.count)

    model = Landmarks().to(device).to(memory_format=torch.channels_last).train()
    if o.from_model:
        model.load_state_dict(torch.load(o.from_model, map_location=device))
    smooth = Landmarks().to(device)
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
        torch.save(smooth.state_dict(), o.out + "/landmarks.pt")
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
        x, truth = faces(heads, o.held, heads.count, pool, o.batch)
        output = run((x[:, None] / 128).contiguous(memory_format=torch.channels_last))
        place, spread, far = losses(output, truth)
        optimizer.zero_grad(set_to_none=True)
        (place + 0.1 * spread).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        trainer.follow(smooth, model, step, 0.9995)
        if step % 500 == 0:
            log("step", step, "place %.4f spread %.4f error %.4f" % (place.item(), spread.item(), far.mean().item()), "heads", heads.count)
        if step % 5000 == 4999:
            save()
        step += 1
    log("steps", step, "heads", heads.count)
    save()
    stop[0] = True
    for render in renders:
        render.kill()
    held_out(smooth, heads, o.held, pool, log)
    export_landmarks.main(o.out + "/landmarks.pt", o.out + "/landmarks-network.bin", o.out + "/answers.json")
    log("done")
    os._exit(0)


if __name__ == "__main__":
    main()
