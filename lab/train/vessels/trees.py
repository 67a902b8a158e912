"""Drawn retinas: trees of arteries and veins in degrees of visual angle, and tiles drawn from them with exact truth."""
import math

import cv2
import numpy as np

STEP = 0.35  # degrees
CELL = 0.8  # degrees: side of the cells that a vessel keeps others of its kind out of
PARTS = 4  # a pixel is drawn as PARTS x PARTS
MARGIN = 0.25  # px by which a mask is wider than the vessel: annotators mark each pixel that a vessel touches
DEPTH = 400  # gray levels of the depth map for a depth of 1


class Branch:
    __slots__ = ("x", "y", "heading", "width", "kind", "target", "depth", "bend")

    def __init__(self, x, y, heading, width, kind, target, depth, bend):
        self.x, self.y, self.heading, self.width = x, y, heading, width
        self.kind, self.target, self.depth, self.bend = kind, target, depth, bend


def turn(angle):
    return (angle + math.pi) % (2 * math.pi) - math.pi


def grow(random, branch, scene, lines, queue):
    """One branch until it leaves the field, reaches the fovea or becomes too thin; its daughters go to the queue."""
    points, widths = [(branch.x, branch.y)], [branch.width]
    x, y, heading, width = branch.x, branch.y, branch.heading, branch.width
    wobble, age = 0.0, 0.0
    least, tortuous = scene["least"], scene["tortuous"]
    gap = random.exponential(1.5) + 0.8
    while width > least and len(points) < 160:
        wobble = 0.8 * wobble + tortuous * (1 + 0.02 / width) * random.normal()
        pull = 0.0
        if branch.target is not None:
            pull = branch.bend * turn(branch.target - heading)
        heading += wobble + pull
        x += STEP * math.cos(heading)
        y += STEP * math.sin(heading)
        points.append((x, y))
        widths.append(width)
        width *= 1 - 0.004 * random.random()
        # Vessels of one kind keep apart: a daughter ends where another of its kind already is.
        cell = (branch.kind, int(math.floor(x / CELL)), int(math.floor(y / CELL)))
        other = scene["taken"].setdefault(cell, branch)
        if other is not branch and len(points) > 5 and branch.depth > 0 and random.random() < scene["apart"]:
            break
        age += STEP
        if x * x + y * y > (scene["radius"] + 3) ** 2:
            break
        near = math.hypot(x - scene["fovea"][0], y - scene["fovea"][1])
        if near < scene["avascular"] + 4 * width:
            break
        if age > gap and branch.depth < 9:
            age, gap = 0.0, (0.8 + random.exponential(1.8)) * scene["sparse"]
            share = random.beta(1.2, 2.6)  # of the third power of the width
            small = width * max(share, 0.02) ** (1 / 3)
            angle = math.radians(random.uniform(25, 85)) * (1 - 0.5 * share)
            sign = 1 if random.random() < 0.5 else -1
            toward = turn(math.atan2(scene["fovea"][1] - y, scene["fovea"][0] - x) - heading)
            if near < 12 and random.random() < 0.5:
                sign = 1 if toward > 0 else -1
            target = heading + sign * angle
            if random.random() < 0.35 and near < 14:
                target = heading + toward
            queue.append(
                Branch(x, y, heading + sign * angle, small, branch.kind, target, branch.depth + 1, 0.03)
            )
            heading -= sign * angle * 0.35 * share
            width *= (1 - share) ** (1 / 3)
    if len(points) > 2:
        lines.append((np.array(points, np.float32), np.array(widths, np.float32), branch.kind))


def tree(random):
    """Lines (points, widths, kind) of a whole field in degrees, its middle at 0, 0; kind 0: artery, 1: vein."""
    field = random.uniform(30, 60)
    side = 1 if random.random() < 0.5 else -1
    centered = random.random()
    if centered < 0.55:
        disc = np.array([side * random.normal(15, 1.5), random.normal(1, 1.2)])
        fovea = np.array([random.normal(0, 1.5), random.normal(0, 1.5)])
    elif centered < 0.85:
        disc = random.normal(0, 3, 2)
        fovea = disc - np.array([side * 15.5, -1.0])
    else:
        disc = np.array([side * random.uniform(5, 11), random.normal(0, 2)])
        fovea = disc - np.array([side * 15.5, -1.0])
    scene = {
        "field": field,
        "radius": field / 2,
        "disc": disc,
        "disc_radius": random.uniform(2.2, 3.2),
        "fovea": fovea,
        "avascular": random.uniform(0.8, 2.2),
        "least": random.uniform(0.025, 0.06),
        "tortuous": random.uniform(0.015, 0.06),
        "sparse": random.uniform(0.7, 1.6),
        "apart": random.uniform(0.6, 1.0),
        "taken": {},
    }
    lines, queue = [], []
    size = random.uniform(0.85, 1.25)
    temporal = 0.0 if side < 0 else math.pi
    for up in (1, -1):
        for kind in (0, 1):
            width = size * random.uniform(0.3, 0.46) * (0.78 if kind == 0 else 1)
            start = temporal + up * side * math.radians(random.uniform(60, 100))
            end = temporal - up * side * math.radians(random.uniform(-5, 25))
            place = disc + random.normal(0, 0.5, 2)
            queue.append(Branch(*place, start, width, kind, end, 0, random.uniform(0.014, 0.03)))
            width *= random.uniform(0.5, 0.85)
            out = temporal + math.pi - up * side * math.radians(random.uniform(10, 70))
            queue.append(Branch(*(disc + random.normal(0, 0.5, 2)), out, width, kind, out, 0, 0.02))
            if random.random() < 0.7:
                toward = temporal + up * side * math.radians(random.uniform(5, 55))
                thin = size * random.uniform(0.07, 0.17)
                queue.append(Branch(*(disc + random.normal(0, 0.8, 2)), toward, thin, kind, temporal, 1, 0.01))
    while queue and len(lines) < 900:
        grow(random, queue.pop(0), scene, lines, queue)
    return scene, lines


def draw_level(canvas, points, widths, value):
    """Pieces of a line, each of one width, in parts of pixels."""
    thick = np.maximum(1, np.round(widths)).astype(int)
    start = 0
    n = len(points)
    while start < n - 1:
        end = start + 1
        while end < n - 1 and thick[end] == thick[start]:
            end += 1
        cv2.polylines(canvas, [points[start : end + 1]], False, int(value), int(thick[start]), cv2.LINE_8)
        start = end


def shrink(canvas, size):
    return cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA)


def tile(random, scene, lines, size, kinds=False):
    """Channels of a tile: depth, mask, faint vessels, other structures (128: none), field; with `kinds` also the depth of
    arteries, of veins, the mask of arteries and that of veins."""
    scale = math.exp(random.uniform(math.log(9), math.log(30)))  # px per degree
    radius = scene["radius"]
    angle, distance = random.uniform(0, 2 * math.pi), radius * math.sqrt(random.random()) * 0.98
    middle = np.array([distance * math.cos(angle), distance * math.sin(angle)])
    turned = random.uniform(0, 2 * math.pi)
    rotation = np.array([[math.cos(turned), -math.sin(turned)], [math.sin(turned), math.cos(turned)]])

    def to_pixels(points):
        return (np.asarray(points, np.float64) - middle) @ rotation * scale + size / 2

    big = size * PARTS
    depth = [np.zeros((big, big), np.uint8) for _ in range(2)]
    mask = np.zeros((big, big), np.uint8)
    faint = np.zeros((big, big), np.uint8)
    own = [np.zeros((big, big), np.uint8) for _ in range(2)]
    strength = random.uniform(0.18, 0.52)
    artery = random.uniform(0.5, 0.95)
    reflex = (random.uniform(0.1, 0.75) if random.random() < 0.65 else 0.0, random.uniform(0, 0.45))
    stripe = random.uniform(0.2, 0.38)
    narrow = random.uniform(0.05, 0.16)
    seen = random.uniform(0.025, 0.05)
    todo = []
    for points, widths, kind in lines:
        pixels = to_pixels(points)
        reach = 20
        inside = ((pixels > -reach) & (pixels < size + reach)).all(1)
        if not inside.any():
            continue
        first, last = max(0, inside.argmax() - 1), len(inside) - inside[::-1].argmax() + 1
        pixels, wide = pixels[first:last], widths[first:last]
        if len(pixels) < 2:
            continue
        mean = float(wide.mean())
        value = strength * (artery if kind == 0 else 1) * (1 - math.exp(-mean / narrow))
        todo.append((np.round(pixels * PARTS).astype(np.int32), wide * scale, kind, value * random.uniform(0.75, 1.2)))
    for points, wide, kind, value in todo:
        visible = value * min(1.0, float(wide.mean()) / 1.5) >= seen
        draw_level(mask if visible else faint, points, (wide + MARGIN) * PARTS, 255)
        if kinds and visible:
            draw_level(own[kind], points, wide * PARTS, 255)
    for share, level in ((1.0, 0.55), (0.8, 0.82), (0.55, 1.0)):
        for points, wide, kind, value in todo:
            draw_level(depth[kind], points, wide * share * PARTS, min(255, DEPTH * value * level))
    for points, wide, kind, value in todo:
        if reflex[kind] > 0 and wide.mean() > 2.5:
            draw_level(depth[kind], points, wide * stripe * PARTS, min(255, DEPTH * value * (1 - reflex[kind])))
    arteries, veins = (shrink(d, size).astype(np.float32) / DEPTH for d in depth)
    both = np.maximum(arteries, veins) + 0.35 * np.minimum(arteries, veins)
    other, field = surroundings(random, scene, to_pixels, scale, size)
    channels = [
        np.clip(both * DEPTH, 0, 255).astype(np.uint8),
        shrink(mask, size),
        shrink(faint, size),
        np.clip(128 + 127 * other, 0, 255).astype(np.uint8),
        field,
    ]
    if kinds:
        channels += [np.clip(arteries * DEPTH, 0, 255).astype(np.uint8), np.clip(veins * DEPTH, 0, 255).astype(np.uint8)]
        channels += [shrink(mask, size) for mask in own]
    return np.stack(channels)


def blob(random, size, place, radius):
    """An irregular spot."""
    count = 14
    angles = np.linspace(0, 2 * math.pi, count, endpoint=False)
    radii = radius * (1 + 0.35 * random.normal(size=count).clip(-1.5, 1.5))
    outline = np.stack([place[0] + radii * np.cos(angles), place[1] + radii * np.sin(angles)], 1)
    canvas = np.zeros((size, size), np.uint8)
    cv2.fillPoly(canvas, [np.round(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return canvas.astype(np.float32) / 255


def wandering(random, size, scale):
    """A curve across the tile, for vessels of the choroid and folds."""
    x, y, heading = random.uniform(0, size), random.uniform(0, size), random.uniform(0, 2 * math.pi)
    points, bend = [], 0.0
    for _ in range(70):
        bend = 0.9 * bend + 0.03 * random.normal()
        heading += bend
        x, y = x + 0.4 * scale * math.cos(heading), y + 0.4 * scale * math.sin(heading)
        points.append((x, y))
    return np.round(np.array(points) * 16).astype(np.int32)


def surroundings(random, scene, to_pixels, scale, size):
    """Disc, choroid, lesions and the rim as a factor of brightness less 1, and the field."""
    other = np.zeros((size, size), np.float32)
    rows, columns = np.mgrid[0:size, 0:size].astype(np.float32)
    if random.random() < 0.4:  # vessels of the choroid: broad, faint, bright or dark
        tone = random.uniform(0.02, 0.13) * (1 if random.random() < 0.65 else -1)
        canvas = np.zeros((size, size), np.uint8)
        for _ in range(random.integers(4, 30)):
            thick = max(1, int(scale * random.uniform(0.25, 0.9)))
            cv2.polylines(canvas, [wandering(random, size, scale)], False, 255, thick, cv2.LINE_AA, 4)
        other += tone * cv2.GaussianBlur(canvas, (0, 0), max(0.6, scale * random.uniform(0.08, 0.25))) / 255
    if random.random() < 0.3:  # fibers: many faint lines side by side, of both signs
        canvas = np.zeros((size, size), np.float32)
        source, tone = to_pixels(scene["disc"][None])[0], random.uniform(0.01, 0.05)
        for _ in range(random.integers(30, 150)):
            a, b = random.uniform(0, 2 * math.pi), random.uniform(0.5, 8) * scale
            ends = [source + (b + c * scale) * np.array([math.cos(a + d), math.sin(a + d)]) for c, d in ((0, 0), (random.uniform(1, 6), random.uniform(-0.15, 0.15)))]
            sign = 1.0 if random.random() < 0.5 else -1.0
            cv2.line(canvas, *(tuple(np.round(e * 16).astype(int).clip(-30000, 30000).tolist()) for e in ends), sign, max(1, int(0.06 * scale)), cv2.LINE_AA, 4)
        other += tone * cv2.GaussianBlur(canvas, (0, 0), max(0.6, 0.06 * scale))
    disc = to_pixels(scene["disc"][None])[0]
    radius = scene["disc_radius"] * scale
    far = np.hypot((columns - disc[0]) * random.uniform(0.9, 1.1), rows - disc[1])
    soft = max(0.7, scale * random.uniform(0.04, 0.25))
    edge = 1 / (1 + np.exp(np.clip((far - radius) / soft, -30, 30)))
    cup = 1 / (1 + np.exp(np.clip((far - radius * random.uniform(0.3, 0.7)) / (2 * soft), -30, 30)))
    other += random.uniform(0.1, 0.8) * edge + random.uniform(0, 0.5) * cup
    if random.random() < 0.4:  # a pigmented or pale crescent
        ring = np.exp(-(((far - radius - 2 * soft) / (2 * soft)) ** 2))
        other += random.uniform(-0.25, 0.15) * ring * (np.sin(np.arctan2(rows - disc[1], columns - disc[0])) > 0)
    fovea = to_pixels(scene["fovea"][None])[0]
    away = (columns - fovea[0]) ** 2 + (rows - fovea[1]) ** 2
    other -= random.uniform(0, 0.25) * np.exp(-away / (2 * (scale * random.uniform(0.8, 2.5)) ** 2))
    if random.random() < 0.4:
        for _ in range(random.integers(1, 14)):
            spot = blob(random, size, random.uniform(0, size, 2), scale * random.uniform(0.06, 0.9))
            spot = cv2.GaussianBlur(spot, (0, 0), max(0.5, scale * random.uniform(0.02, 0.12)))
            other -= random.uniform(0.08, 0.4) * spot
    if random.random() < 0.35:
        for _ in range(random.integers(1, 40)):
            spot = blob(random, size, random.uniform(0, size, 2), scale * random.uniform(0.05, 0.5))
            spot = cv2.GaussianBlur(spot, (0, 0), max(0.5, scale * random.uniform(0.02, 0.1)))
            other += random.uniform(0.05, 0.6) * spot
    middle = to_pixels(np.zeros((1, 2)))[0]
    edge = scene["radius"] * scale - np.hypot(columns - middle[0], rows - middle[1])
    if random.random() < 0.5:  # cut above and below, or on all sides
        cut = scene["radius"] * scale * random.uniform(0.7, 1.0)
        direction = random.uniform(0, 2 * math.pi)
        sides = 2 if random.random() < 0.7 else 4
        for k in range(sides):
            a = direction + 2 * math.pi * k / sides
            edge = np.minimum(edge, cut - (columns - middle[0]) * math.cos(a) - (rows - middle[1]) * math.sin(a))
    rim = np.exp(-np.maximum(edge, 0) / (scale * random.uniform(0.05, 0.6)))
    other += random.uniform(-0.35, 0.2) * rim
    inner = scale * random.uniform(0.0, 0.25)
    return np.clip(other, -0.9, 0.99), np.where(edge > inner, 255, 0).astype(np.uint8)


def tiles(seed, size, count, kinds=False):
    """`count` tiles of some trees, by seed."""
    random = np.random.default_rng(seed)
    out = []
    while len(out) < count:
        scene, lines = tree(random)
        for _ in range(min(4, count - len(out))):
            out.append(tile(random, scene, lines, size, kinds))
    return np.stack(out)
