"""Trains the vessel network: a large one on drawn vessels, its probabilities on photographs, a small one on both.

python3 train.py --data FOLDER --out FOLDER [--seconds 150 150] [--seed 1]
The folder has hrf/ (photographs, CC BY 4.0; masks for measuring only) and fundus/ (drive, stare, chase: measuring only).
"""
import argparse
import glob
import multiprocessing
import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import cv2
import numpy as np

import photographs
import trees

HELD = ["01_h", "05_dr", "10_g", "02_dr", "06_h", "11_dr", "04_g", "09_g", "14_dr", "13_h", "15_g", "08_h"]
TILE, PIECE = 384, 256


def read(path, gray=False):
    picture = cv2.imread(path, cv2.IMREAD_GRAYSCALE if gray else cv2.IMREAD_COLOR)
    if picture is None:
        raise SystemExit("cannot read " + path)
    return picture


# Diameters of the field of view that photographs are reduced to, for training and for measuring; smaller ones stay as they are.
TRAINING, DIAMETERS = 800, (600, 700, 800, 1200)


def reduced(picture, found, diameter):
    """A photograph whose field is at most so wide, as contrast in units of its standard deviation; and its field."""
    across = np.sqrt((found > 127).sum() * 4 / np.pi)
    factor = min(1.0, diameter / across)
    if factor < 1:
        size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    field = photographs.field_of(picture)
    percent = photographs.contrast_of(picture[:, :, 1], field)
    return percent, field


def prepare(job):
    name, image, truth, field, seed = job
    cv2.setNumThreads(1)
    picture = read(image)
    found = photographs.field_of(picture)
    versions = {}
    for diameter in DIAMETERS:
        percent, inside = reduced(picture, found, diameter)
        versions[diameter] = percent / percent[inside > 127].std()
    out = {"name": name, "found": found, "versions": versions, "erased": None}
    out["truth"] = (read(truth, True) > 127).astype(np.uint8)
    out["field"] = read(field, True) if field else found
    if seed is not None:
        percent, inside = reduced(picture, found, TRAINING)
        size = (890, 594)
        out["erased"] = cv2.resize(photographs.erase(percent, inside, np.random.default_rng(seed))[0], size)
        out["percent"] = cv2.resize(percent / percent[inside > 127].std(), size)
        out["inside"] = cv2.resize(inside, size)
    return out


def jobs(data):
    out = []
    for image in sorted(glob.glob(data + "/hrf/*.jpg")):
        name = os.path.basename(image)[:-4]
        held = name in HELD
        out.append((("HRF held " if held else "HRF ") + name, image, image[:-4] + "_vessels.png", None, None if held else len(out)))
    for image in sorted(glob.glob(data + "/fundus/drive/*_test.png")):
        out.append(("DRIVE " + image[-11:-9], image, image.replace("_test", "_manual1"), image.replace("_test", "_fov"), None))
    for image in sorted(glob.glob(data + "/fundus/stare/im????.png")):
        out.append(("STARE " + image[-8:-4], image, image[:-4] + "_ah.png", None, None))
    for image in sorted(glob.glob(data + "/fundus/chase/*.jpg")):
        out.append(("CHASE " + image[-7:-4], image, image[:-4] + "_1stHO.png", None, None))
    return out


def make_tiles(given):
    seed, count = given
    cv2.setNumThreads(1)
    return trees.tiles(seed, TILE, count)


def area(values, truth):
    """Area under the ROC in 4096 steps."""
    bins = np.clip((values * 4096).astype(int), 0, 4095)
    positive = np.bincount(bins[truth], minlength=4096)[::-1].astype(float)
    negative = np.bincount(bins[~truth], minlength=4096)[::-1].astype(float)
    above = np.cumsum(positive) - positive
    return (negative * (above + positive / 2)).sum() / (positive.sum() * negative.sum())


def measure(probability, photograph, levels):
    inside = photograph["field"] > 127
    p = np.where(photograph["found"] > 127, probability, 0)[inside]
    truth = photograph["truth"][inside] > 0
    out = {"auc": area(p, truth)}
    for level in levels:
        found = p > level
        tp, fp, fn = (found & truth).sum(), (found & ~truth).sum(), (~found & truth).sum()
        out[level] = (2 * tp / (2 * tp + fp + fn), 1 - (fp + fn) / len(truth), tp / (tp + fn))
    return out


def main():
    import torch
    import torch.nn.functional as F

    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    import compose
    import trainer
    from model import Network, averaged, padded

    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, nargs=2, default=[150, 150])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=15)
    parser.add_argument("--pool", type=int, default=24000)
    parser.add_argument("--first", type=int, default=600)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--sizes", type=int, nargs=4, default=[12, 24, 32, 40])
    parser.add_argument("--teacher", type=int, nargs=4, default=[24, 48, 80, 112])
    parser.add_argument("--real", type=float, default=0.25)
    parser.add_argument("--photographs", type=int, default=999)
    parser.add_argument("--few", action="store_true", help="measure little, to try the script")
    parser.add_argument("--first-labels", help="a small network of an earlier run, whose probabilities the large one begins with")
    parser.add_argument("--first-sizes", type=int, nargs=4, default=[8, 16, 32, 40])
    o = parser.parse_args()

    log = trainer.logger(o.out)

    torch.manual_seed(o.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    kind = torch.bfloat16
    workers = multiprocessing.get_context("fork" if device == "cpu" else "spawn").Pool(o.workers)
    list_of_jobs = jobs(o.data)[:: max(1, round(len(jobs(o.data)) / o.photographs))]
    prepared = workers.map_async(prepare, list_of_jobs, 1)
    chunk = 8
    stream = workers.imap_unordered(make_tiles, ((o.seed * 1000003 + i, chunk) for i in range(o.pool // chunk)))
    pool = torch.empty(o.pool, 5, TILE, TILE, dtype=torch.uint8, device=device)
    filled = [0]
    stop = [False]

    def fill():
        for tiles in stream:
            if stop[0]:
                return
            pool[filled[0] : filled[0] + len(tiles)] = torch.from_numpy(tiles).to(device)
            filled[0] += len(tiles)

    import threading

    threading.Thread(target=fill, daemon=True).start()
    sets = prepared.get()
    log("photographs", len(sets))
    training = [s for s in sets if s["erased"] is not None]
    stacked = lambda key, scale=1.0: torch.from_numpy(np.stack([s[key] * scale for s in training])).to(device)[:, None]
    erased = stacked("erased", 1 / 125).half() if device == "cuda" else stacked("erased", 1 / 125)
    pictures, fields = stacked("percent").to(erased.dtype), stacked("inside", 1 / 255).to(erased.dtype)
    if o.few:
        erased, pictures, fields = (t[..., 200:328, 300:428].contiguous() for t in (erased, pictures, fields))
        sets[:] = [dict(s, versions={k: v[:, :200] for k, v in s["versions"].items()}) for s in sets[:2]]
    while filled[0] < o.first:
        time.sleep(0.2)
    log("tiles", filled[0])
    levels = (0.4, 0.5, 0.6, 0.7, 0.8)

    @torch.no_grad()
    def evaluate(model, title, whole=False, diameters=DIAMETERS):
        model.eval()
        rows = {}
        for s in sets:
            for diameter in diameters:
                x = torch.from_numpy(s["versions"][diameter]).to(device)[None, None].clamp(-8, 5)
                with torch.autocast(device, kind, enabled=device == "cuda"):
                    p = averaged(model, x) if whole else torch.sigmoid(padded(model, x).float())
                p = F.interpolate(p.float(), s["truth"].shape, mode="bilinear", align_corners=False)
                rows[s["name"], diameter] = measure(p[0, 0].cpu().numpy(), s, levels)
        groups = {}
        for (name, diameter), row in rows.items():
            groups.setdefault((name.rsplit(" ", 1)[0], diameter), []).append(row)
        for (group, diameter), list_ in groups.items():
            text = " ".join("%.1f: %.4f %.4f %.3f" % (level, *np.mean([r[level] for r in list_], 0)) for level in levels)
            log(title, group, diameter, "auc %.4f" % np.mean([r["auc"] for r in list_]), text)
        model.train()

    @torch.no_grad()
    def label(model):
        model.eval()
        with torch.autocast(device, kind, enabled=device == "cuda"):
            return torch.cat([averaged(model, x[None].float().clamp(-8, 5)).to(erased.dtype) for x in pictures])

    def train(model, seconds, labels, title):
        model.to(device).to(memory_format=torch.channels_last).train()
        smooth = type(model)(model.sizes).to(device)
        smooth.load_state_dict(model.state_dict())
        optimizer = torch.optim.AdamW(model.parameters(), 4e-3, weight_decay=1e-3)
        start, step, total = time.time(), 0, 0.0
        while True:
            done = (time.time() - start) / seconds
            if done >= 1:
                break
            rate = 4e-3 * min(1, (step + 1) / 200) * (0.5 + 0.5 * np.cos(np.pi * min(1, done))) + 1e-6
            for group in optimizer.param_groups:
                group["lr"] = rate
            with torch.no_grad():
                count = o.batch if labels is None else o.batch - int(o.real * o.batch)
                oy, ox = np.random.randint(0, TILE - PIECE + 1, 2)
                tiles = pool[torch.randint(filled[0], (count,), device=device)][:, :, oy : oy + PIECE, ox : ox + PIECE]
                tiles = torch.rot90(tiles, np.random.randint(4), (2, 3))
                tiles = tiles.flip(3) if np.random.rand() < 0.5 else tiles
                x, target, weight = compose.drawn(tiles, erased, PIECE, 0.15)
                if labels is not None:
                    more = compose.real(pictures, labels, fields, o.batch - count, PIECE, 0.15)
                    x, target, weight = (torch.cat(pair) for pair in zip((x, target, weight), more))
                x = x.contiguous(memory_format=torch.channels_last)
            with torch.autocast(device, kind, enabled=device == "cuda"):
                logits = model(x)
            logits = logits.float()
            cross = (F.binary_cross_entropy_with_logits(logits, target, reduction="none") * weight).sum() / weight.sum()
            p = torch.sigmoid(logits) * weight
            overlap = 1 - (2 * (p * target).sum() + 1) / (p.sum() + (target * weight).sum() + 1)
            loss = cross + 0.2 * overlap
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            trainer.follow(smooth, model, step)
            if step % 200 == 0:
                log(title, "step", step, "loss %.4f" % loss.item(), "tiles", filled[0])
            if step % 2500 == 2499:
                torch.save(smooth.state_dict(), o.out + "/" + title + ".pt")
            step += 1
        log(title, "steps", step)
        return smooth

    labels = None
    if o.first_labels:
        first = Network(tuple(o.first_sizes)).to(device)
        first.load_state_dict(torch.load(o.first_labels, map_location=device))
        if not o.few:
            evaluate(first, "first")
        labels = label(first)
    teacher = train(Network(tuple(o.teacher)), o.seconds[0], labels, "teacher")
    torch.save(teacher.state_dict(), o.out + "/teacher.pt")
    if not o.few:
        evaluate(teacher, "teacher averaged", True, (700,))
    labels = label(teacher)
    cv2.imwrite(o.out + "/label.png", (255 * labels[0, 0].float()).byte().cpu().numpy())
    student = train(Network(tuple(o.sizes)), o.seconds[1], labels, "student")
    torch.save(student.state_dict(), o.out + "/student.pt")
    student.eval()
    np.savez(o.out + "/student.npz", **student.export())
    evaluate(student, "student", False, (600,) if o.few else DIAMETERS)
    stop[0] = True
    log("done")
    workers.terminate()
    os._exit(0)


if __name__ == "__main__":
    main()
