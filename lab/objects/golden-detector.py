"""Writes test/golden/objects/cases.json and data.bin: pieces of the detector of Tracking-Learning-Detection, computed plainly
with numpy on the photographs of test/media.
   python3 lab/objects/golden-detector.py
Grid, ferns and similarities: Kalal, Mikolajczyk, Matas, Tracking-Learning-Detection, 2012, section 5. Photographs are named,
not copied; samples lie in data.bin, one deflate stream."""
import json
import os
import random
import struct
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
MEDIA = os.path.join(HERE, "../../test/media")
OUT = os.path.join(HERE, "../../test/golden/objects")
# One window in so many is stored; the number of those that pass counts all. A prime, so that no column is taken alone.
EVERY = 29
BLUR = [2, 9, 28, 55, 68, 55, 28, 9, 2]  # of 256: sigma 1.5

chunks = []


def stored(array, **more):
    offset = sum(len(chunk) for chunk in chunks)
    raw = np.ascontiguousarray(array).tobytes()
    chunks.append(raw + bytes(-len(raw) % 8))
    return {"dtype": {"|u1": "u8", "<u2": "u16", "<i4": "i32", "<f4": "f32"}[array.dtype.str], "shape": list(array.shape),
            "offset": offset, **more}


def gray_png(name):
    """Gray of 8 bits, not interlaced."""
    data = open(os.path.join(MEDIA, name), "rb").read()
    width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", data[16:29])
    assert (depth, color, interlaced) == (8, 0, 0)
    at, parts = 8, []
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            parts.append(data[at + 8:at + 8 + length])
        at += 12 + length
    rows = zlib.decompress(b"".join(parts))
    out = np.zeros((height, width), np.uint8)
    for y in range(height):
        kind, row = rows[y * (width + 1)], rows[y * (width + 1) + 1:(y + 1) * (width + 1)]
        for x in range(width):
            a = int(out[y, x - 1]) if x else 0
            b = int(out[y - 1, x]) if y else 0
            c = int(out[y - 1, x - 1]) if x and y else 0
            p = a + b - c
            paeth = a if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c) else b if abs(p - b) <= abs(p - c) else c
            out[y, x] = (row[x] + [0, a, b, (a + b) // 2, paeth][kind]) & 255
    return out


def nearest(v):
    return int(np.floor(v + 0.5))


def windows(w0, h0, width, height):
    """The paper's grid, in the order scale, y, x."""
    for k in range(-10, 11):
        w, h = nearest(w0 * 1.2 ** k), nearest(h0 * 1.2 ** k)
        if min(w, h) < 20 or w > width or h > height:
            continue
        dx, dy = max(1, nearest(0.1 * w)), max(1, nearest(0.1 * h))
        for y in range(0, height - h + 1, dy):
            for x in range(0, width - w + 1, dx):
                yield x, y, w, h


def variance(image, x, y, w, h):
    return float(np.var(image[y:y + h, x:x + w].astype(np.float64)))


def variance_case(name, photograph, image, init):
    height, width = image.shape
    threshold = variance(image, *init) / 2
    all_ = np.array([variance(image, *box) for box in windows(init[2], init[3], width, height)])
    return {"id": f"variance_{name}", "op": "tld_variance", "params": {"init": init, "threshold": threshold},
            "inputs": [photograph], "boxes": len(all_), "accepted": int((all_ > threshold).sum()),
            "nearThreshold": int((abs(all_ - threshold) <= 1e-3).sum()),
            "expected": [stored(all_[::EVERY].astype(np.float32), every=EVERY, shape=[len(all_)])]}


def blurred(image):
    """Replicated border, 16 bits between the passes, rounded once."""
    padded = np.pad(image.astype(np.int64), 4, mode="edge")
    height, width = image.shape
    across = sum(q * padded[:, i:i + width] for i, q in enumerate(BLUR))
    return ((sum(q * across[i:i + height] for i, q in enumerate(BLUR)) + 32768) >> 16).astype(np.uint8)


def fern_case(name, photograph, image, table, rng):
    soft = blurred(image)
    height, width = image.shape
    boxes, codes = [], []
    for _ in range(300):
        w, h = rng.randint(15, 140), rng.randint(15, 140)
        x, y = rng.randint(0, width - w), rng.randint(0, height - h)
        boxes.append([x, y, w, h])
        row = []
        for fern in table:
            code = 0
            for x1, y1, x2, y2 in fern:
                first = soft[y + int(np.floor(y1 * h)), x + int(np.floor(x1 * w))]
                second = soft[y + int(np.floor(y2 * h)), x + int(np.floor(x2 * w))]
                code = code << 1 | int(first > second)
            row.append(code)
        codes.append(row)
    return {"id": f"fern_{name}", "op": "tld_fern", "params": {},
            "inputs": [photograph, {"json": {"table_x1_y1_x2_y2": table}}, stored(np.array(boxes, np.int32))],
            "expected": [stored(np.array(codes, np.uint16))]}


def correlation(a, b):
    a, b = a.astype(np.float64).ravel(), b.astype(np.float64).ravel()
    a, b = a - a.mean(), b - b.mean()
    scale = np.sqrt((a * a).sum() * (b * b).sum())
    return float((a * b).sum() / scale) if scale else 0.0


def similarity_case(name, image, rng, center):
    """Positives and queries about one place, negatives and further queries anywhere; one negative is even gray."""
    patch = lambda x, y: image[y:y + 15, x:x + 15]
    about = lambda: patch(center[0] + rng.randint(-3, 3), center[1] + rng.randint(-3, 3))
    anywhere = lambda: patch(rng.randint(0, image.shape[1] - 15), rng.randint(0, image.shape[0] - 15))
    positives = [about() for _ in range(7)]
    negatives = [anywhere() for _ in range(9)] + [np.full((15, 15), 77, np.uint8)]
    queries = [about() for _ in range(6)] + [anywhere() for _ in range(6)]
    results = []
    for query in queries:
        near = [correlation(query, p) for p in positives]
        far = [correlation(query, p) for p in negatives]
        plus, minus = (max(near) + 1) / 2, (max(far) + 1) / 2
        half = (max(near[:(len(near) + 1) // 2]) + 1) / 2  # the first half, rounded up
        # As in the released program: distances 1 - S.
        ratio = lambda s: (1 - minus) / ((1 - minus) + (1 - s))
        results.append({"nccPositive": near, "nccNegative": far,
                        "distanceForm": {"relative": ratio(plus), "conservative": ratio(half)}})
    lists = [stored(np.array(list_, np.uint8)) for list_ in (positives, negatives, queries)]
    return {"id": f"similarity_{name}", "op": "tld_nn", "params": {}, "inputs": lists, "expected": [{"json": results}]}


def cases():
    rng = random.Random(19)
    # Thousandths, as in the goldens of OpenCV's table; horizontal or vertical pairs.
    table = []
    for _ in range(10):
        fern = []
        for k in range(13):
            x1, y1, other = (rng.randint(0, 999) / 1000 for _ in range(3))
            fern.append([x1, y1, other, y1] if k % 2 else [x1, y1, x1, other])
        table.append(fern)
    for name, (x, y), init, center in [
        ("photographer", (120, 40), [100, 30, 48, 60], (125, 50)),
        ("portrait", (90, 10), [85, 55, 90, 92], (120, 95)),
    ]:
        image = gray_png(f"{name}.png")[y:y + 240, x:x + 320]
        photograph = {"dtype": "u8", "shape": [240, 320], "media": f"{name}.png", "x": x, "y": y}
        yield variance_case(name, photograph, image, init)
        yield fern_case(name, photograph, image, table, rng)
        yield similarity_case(name, image, rng, center)


lines = [json.dumps(case, separators=(",", ":")) for case in cases()]
os.makedirs(OUT, exist_ok=True)
with open(os.path.join(OUT, "cases.json"), "w") as f:
    f.write("[\n" + ",\n".join(lines) + "\n]\n")
with open(os.path.join(OUT, "data.bin"), "wb") as f:
    f.write(zlib.compress(b"".join(chunks), 9))
print(len(lines), "cases")
