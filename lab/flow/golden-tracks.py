"""Writes test/golden/flow/tracks.json: cv2.calcOpticalFlowPyrLK on drawn textures, borders and tiny frames included.
   /usr/bin/python3 lab/flow/golden-tracks.py
The frames are drawn by integers alone (test/flow/texture.ts draws the same), so that only points are stored."""
import json
import os
import random

import cv2
import numpy as np

SPACING = 96  # sixteenths of a pixel between the lattice's random values


def lattice(i, j, seed):
    h = (i * 73856093 ^ j * 19349663 ^ seed * 83492791) & 0xFFFFFFFF
    h = (h ^ (h >> 13)) * 1274126177 & 0xFFFFFFFF
    return (h ^ (h >> 16)) & 255


def texture(width, height, seed, shift_x, shift_y):
    """Bilinear between lattice values; shifts in sixteenths of a pixel."""
    out = np.zeros((height, width), np.uint8)
    for y in range(height):
        for x in range(width):
            u, v = 16 * x + shift_x + 16 * SPACING, 16 * y + shift_y + 16 * SPACING
            i, a = divmod(u, SPACING)
            j, b = divmod(v, SPACING)
            top = (SPACING - a) * lattice(i, j, seed) + a * lattice(i + 1, j, seed)
            low = (SPACING - a) * lattice(i, j + 1, seed) + a * lattice(i + 1, j + 1, seed)
            out[y, x] = ((SPACING - b) * top + b * low) // (SPACING * SPACING)
    return out


def case(width, height, seed, shift, window, levels, iterations=30, epsilon=0.01, count=40):
    rng = random.Random(seed)
    a = texture(width, height, seed, 0, 0)
    b = texture(width, height, seed, *shift)
    points = [[round(rng.uniform(-6, width + 5), 2), round(rng.uniform(-6, height + 5), 2)] for _ in range(count)]
    points[:4] = [[0, 0], [width - 1, height - 1], [-3 * window, 1], [width / 2, height + 2 * window]]
    p = np.float32(points).reshape(-1, 1, 2)
    criteria = (3, iterations, epsilon)
    q, status, error = cv2.calcOpticalFlowPyrLK(a, b, p, None, winSize=(window, window), maxLevel=levels, criteria=criteria)
    ok = status.ravel() == 1
    return {
        "width": width, "height": height, "seed": seed, "shift": shift, "window": window, "levels": levels,
        "iterations": iterations, "epsilon": epsilon, "points": points, "status": status.ravel().tolist(),
        "next": [[float(np.float32(v)) for v in row] if good else None for row, good in zip(q.reshape(-1, 2), ok)],
        "error": [float(np.float32(e)) if good else None for e, good in zip(error.ravel(), ok)],
    }


cv2.setNumThreads(1)
cases = [
    case(96, 72, 1, [24, -13], 21, 3),
    case(96, 72, 2, [-70, 55], 21, 3),
    case(97, 71, 3, [7, 9], 5, 2),
    case(64, 48, 4, [30, 30], 31, 1),
    case(64, 48, 5, [-9, 3], 15, 3, 5, 0.03),
    case(40, 90, 6, [-16, 40], 9, 4),
    case(22, 22, 7, [5, -6], 21, 3),
    case(21, 30, 8, [5, 6], 21, 3),
    case(12, 9, 9, [3, 2], 21, 3),
    case(1, 40, 10, [0, 8], 21, 3),
    case(40, 1, 11, [8, 0], 7, 3),
    case(1, 1, 12, [0, 0], 3, 0),
    case(130, 100, 13, [190, -110], 41, 3),
    case(120, 90, 14, [-20, -20], 63, 2, 30, 0.01, 12),
]
out = os.path.join(os.path.dirname(__file__), "../../test/golden/flow/tracks.json")
with open(out, "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in cases) + "\n]\n")
print(len(cases), "cases,", sum(len(c["points"]) for c in cases), "points, found", sum(sum(c["status"]) for c in cases))
