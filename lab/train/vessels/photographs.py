"""Photographs as the engine's working plane sees them: field, background, contrast in percent; and vessels erased."""
import cv2
import numpy as np

CEILING, OFFSET, WINDOW = 1.1, 0.25, 0.035


def field_of(picture):
    """255 inside the field of view, a little less all around, of an RGB picture."""
    light = cv2.GaussianBlur(picture.astype(np.float32).mean(2), (0, 0), 1.5)
    height, width = light.shape
    side = max(2, min(height, width) // 32)
    corners = [light[:side, :side], light[:side, -side:], light[-side:, :side], light[-side:, -side:]]
    dark = float(np.median([np.median(c) for c in corners]))
    middle = float(np.median(light[height // 4 : -height // 4, width // 4 : -width // 4]))
    rest = (light > dark + 0.15 * (middle - dark)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(rest)
    largest = (labels == 1 + np.argmax(stats[1:, 4])).astype(np.uint8)
    outside = cv2.copyMakeBorder(1 - largest, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=1)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(outside)
    filled = (labels != labels[0, 0])[1:-1, 1:-1].astype(np.uint8)
    reach = max(1, round(max(height, width) / 192))
    field = cv2.erode(filled, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8), borderValue=1)
    return 255 * field


def masked_mean(values, mask, half, times=2):
    """Means over a square of pixels under the mask, `times` in a row; and the weights."""
    side = 2 * max(1, round(half)) + 1
    sums, counts = values * mask, mask.copy()
    for _ in range(times):
        sums = cv2.blur(sums, (side, side), borderType=cv2.BORDER_CONSTANT)
        counts = cv2.blur(counts, (side, side), borderType=cv2.BORDER_CONSTANT)
    return sums / np.maximum(counts, 1e-6), counts


def contrast_of(green, field):
    """Percent above the background, continued outside of the field by the mean of what is near."""
    green, mask = green.astype(np.float32), (field > 127).astype(np.float32)
    across = np.sqrt(mask.sum() * 4 / np.pi)
    level = float((green * mask).sum() / mask.sum())
    first, _ = masked_mean(green, mask, WINDOW * across)
    cut = np.minimum(green, CEILING * first)
    second, _ = masked_mean(cut, mask, WINDOW * across)
    percent = 100 * (1 + OFFSET) * (cut - second) / (second + OFFSET * level)
    near, weights = masked_mean(percent, mask, 0.015 * across, 1)
    return np.where(mask > 0, percent, np.where(weights > 1e-4, near, 0)).astype(np.float32)


def line_response(percent):
    """Second derivative across, summed along lines of twelve directions: what is dark and long, at several widths."""
    best = np.zeros(percent.shape, np.float32)
    for sigma in (1.0, 1.6, 2.6, 4.0):
        reach = int(np.ceil(4 * sigma))
        grid = np.arange(-reach, reach + 1, dtype=np.float32)
        x, y = np.meshgrid(grid, grid)
        for k in range(12):
            a = np.pi * k / 12
            along, across = x * np.cos(a) + y * np.sin(a), -x * np.sin(a) + y * np.cos(a)
            kernel = (across**2 / sigma**2 - 1) * np.exp(-(across**2) / (2 * sigma**2) - along**2 / (2 * (2.2 * sigma) ** 2))
            kernel -= kernel.mean()
            kernel /= np.abs(kernel).sum()
            best = np.maximum(best, cv2.filter2D(percent, -1, kernel, borderType=cv2.BORDER_REPLICATE))
    return best


def vessels_by_lines(percent, field, share):
    """The `share` of the field with the largest response, without specks, and the response."""
    response = line_response(percent)
    inside = field > 127
    level = np.quantile(response[inside], 1 - share)
    mask = ((response > level) & inside).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    keep = stats[:, 4] > 40
    keep[0] = False
    return keep[labels].astype(np.uint8), response, level


def erase(percent, field, random, share=0.2):
    """The contrast with its vessels taken out: what is around them goes on, with texture from elsewhere. And doubts."""
    mask, response, level = vessels_by_lines(percent, field, share)
    hole = cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5)))
    free = ((hole == 0) & (field > 127)).astype(np.float32)
    smooth = np.zeros_like(percent)
    done = np.zeros_like(percent)
    for half in (2, 4, 8, 16, 32):
        mean, weight = masked_mean(percent, free, half)
        usable = (weight > 0.02) & (done == 0)
        smooth[usable], done[usable] = mean[usable], 1
    fine = percent - masked_mean(percent, free, 3)[0]
    texture, missing = np.zeros_like(percent), hole > 0
    for _ in range(60):
        dx, dy = random.integers(-60, 61, 2)
        source = np.roll(fine, (dy, dx), (0, 1))
        usable = missing & (np.roll(free, (dy, dx), (0, 1)) > 0)
        texture[usable] = source[usable]
        missing &= ~usable
    soft = cv2.GaussianBlur(hole.astype(np.float32), (0, 0), 1.0)
    soft = np.maximum(soft, hole)
    erased = percent * (1 - soft) + (smooth + texture) * soft
    left = line_response(erased) > 0.75 * level
    return erased.astype(np.float32), (255 * left).astype(np.uint8)
