"""Times OpenCV's image operations on one thread and prints JSON: { version, operations: { name: { ms, md5 } } }.

usage: python3 native.py WIDTH HEIGHT FILE [SECONDS], FILE: 8-bit gray samples. Prints { "skipped": reason } without cv2.
md5 is that of the result's samples where the WASM kernel gives the same bytes, else null.
"""
import hashlib
import json
import sys
import time

try:
    import cv2
    import numpy as np
except ImportError as error:
    print(json.dumps({"skipped": f"{sys.executable}: {error}"}))
    sys.exit(0)

width, height, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 0.15
cv2.setNumThreads(1)
gray = np.fromfile(path, np.uint8).reshape(height, width)
rgba = np.stack([gray, np.roll(gray, 1, 0), np.roll(gray, 1, 1), gray], axis=2).copy()
floats = gray.astype(np.float32)
mask = np.where(gray > 110, 255, 0).astype(np.uint8)
square = np.ones((19, 19), np.uint8)
u8 = np.empty_like(gray)
dx = np.empty((height, width), np.int16)
dy = np.empty_like(dx)
fx = np.empty((height, width), np.float32)
fy = np.empty_like(fx)
half = np.empty(((height + 1) // 2, (width + 1) // 2), np.uint8)
sums = np.empty((height + 1, width + 1), np.int32)
squares = np.empty((height + 1, width + 1), np.float64)
labels = np.empty((height, width), np.int32)
same = cv2.BORDER_REPLICATE


def both(function, source, depth, x, y):
    def call():
        function(source, depth, 1, 0, dst=x, borderType=same)
        function(source, depth, 0, 1, dst=y, borderType=same)
        return x, y

    return call


def scalars():
    return cv2.minMaxLoc(gray), cv2.sumElems(gray)


operations = {
    "gray from RGBA": (lambda: cv2.cvtColor(rgba, cv2.COLOR_RGBA2GRAY, dst=u8), True),
    "Gaussian 5x5, sigma 2": (lambda: cv2.GaussianBlur(gray, (5, 5), 2, dst=u8, borderType=same), True),
    "Gaussian 9x9, sigma 1.7": (lambda: cv2.GaussianBlur(gray, (9, 9), 1.7, dst=u8, borderType=same), True),
    "median 3": (lambda: cv2.medianBlur(gray, 3, dst=u8), True),
    "median 5": (lambda: cv2.medianBlur(gray, 5, dst=u8), True),
    "median 7": (lambda: cv2.medianBlur(gray, 7, dst=u8), True),
    "median 11": (lambda: cv2.medianBlur(gray, 11, dst=u8), True),
    "erosion 19": (lambda: cv2.erode(gray, square, dst=u8), True),
    "dilation 19": (lambda: cv2.dilate(gray, square, dst=u8), True),
    "top-hat 19": (lambda: cv2.morphologyEx(gray, cv2.MORPH_TOPHAT, square, dst=u8), True),
    "threshold": (lambda: cv2.threshold(gray, 110, 255, cv2.THRESH_BINARY, dst=u8)[1], True),
    "Sobel dx and dy, 16 bits": (both(cv2.Sobel, gray, cv2.CV_16S, dx, dy), True),
    "Scharr dx and dy, 16 bits": (both(cv2.Scharr, gray, cv2.CV_16S, dx, dy), True),
    "Sobel dx and dy, floats": (both(cv2.Sobel, floats, cv2.CV_32F, fx, fy), True),
    "integral": (lambda: cv2.integral(gray, sum=sums), True),
    # OpenCV's squares are float64 and unshifted, so only the time is compared.
    "integral and squares": (lambda: cv2.integral2(gray, sum=sums, sqsum=squares), False),
    "components": (lambda: cv2.connectedComponents(mask, labels, 8, cv2.CV_32S), False),
    "components, statistics": (lambda: cv2.connectedComponentsWithStats(mask, connectivity=8), False),
    "pyramid level": (lambda: cv2.pyrDown(gray, dst=half), True),
    "histogram": (lambda: cv2.calcHist([gray], [0], None, [256], [0, 256]).astype(np.uint32), True),
    "minimum, maximum and sum": (scalars, False),
    "compaction": (lambda: cv2.findNonZero(mask), False),
}

result = {}
for name, (call, comparable) in operations.items():
    out = call()
    digest = None
    if comparable:
        md5 = hashlib.md5()
        for array in out if isinstance(out, tuple) else (out,):
            md5.update(np.ascontiguousarray(array).tobytes())
        digest = md5.hexdigest()
    call()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    times.sort()
    result[name] = {"ms": times[len(times) // 2] * 1000, "md5": digest}
print(json.dumps({"version": cv2.__version__, "operations": result}))
