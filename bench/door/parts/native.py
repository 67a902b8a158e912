"""Times OpenCV's calls on one thread and prints JSON: { version, ms: { name: median } }.

usage: python3 native.py SECONDS NAME=WIDTHxHEIGHT=FILE..., FILE: 8-bit gray samples. Prints { "skipped": reason } without cv2.
"""
import json
import sys
import time

try:
    import cv2
    import numpy as np
except ImportError as error:
    print(json.dumps({"skipped": f"{sys.executable}: {error}"}))
    sys.exit(0)

seconds = float(sys.argv[1])
cv2.setNumThreads(1)


def eigenvalues(gray):
    values = gray.astype(np.float32) / 255
    smooth = cv2.GaussianBlur(values, (0, 0), 2)
    xx, yy, xy = (cv2.Sobel(smooth, cv2.CV_32F, *d, ksize=3) for d in ((2, 0), (0, 2), (1, 1)))
    half, root = (xx + yy) / 2, cv2.sqrt(((xx - yy) / 2) ** 2 + xy**2)
    return half - root, half + root


square = np.ones((19, 19), np.uint8)
dis = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_FAST)
calls = {
    "gaussian": lambda g: cv2.GaussianBlur(g, (5, 5), 2, borderType=cv2.BORDER_REPLICATE),
    "top-hat 19": lambda g: cv2.morphologyEx(g, cv2.MORPH_TOPHAT, square),
    "median 7": lambda g: cv2.medianBlur(g, 7),
    "canny": lambda g: cv2.Canny(g, 50, 150),
    "integral": lambda g: cv2.integral(g, sdepth=cv2.CV_64F),
    "integral uint32": lambda g: cv2.integral(g, sdepth=cv2.CV_32S),
    "eigenvalues": eigenvalues,
    "dense flow": lambda g: dis.calc(g, np.roll(g, 2, 1), None),
}

ms = {}
for given in sys.argv[2:]:
    name, size, path = given.split("=")
    width, height = (int(v) for v in size.split("x"))
    if name not in calls:
        continue
    gray = np.fromfile(path, np.uint8).reshape(height, width)
    call = calls[name]
    call(gray)
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        start = time.perf_counter()
        call(gray)
        times.append(time.perf_counter() - start)
    times.sort()
    ms[f"{name} {size}"] = times[len(times) // 2] * 1000
print(json.dumps({"version": cv2.__version__, "ms": ms}))
