"""Times OpenCV's Canny and HoughLines on one thread and prints JSON: { version, operations: { name: { ms, sha256 } }, lines }.

usage: python3 native.py WIDTH HEIGHT FILE [SECONDS], FILE: 8-bit gray samples. Prints { "skipped": reason } without cv2.
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
out = np.empty_like(gray)
smooth = np.empty_like(gray)
edges = cv2.Canny(gray, 50, 150)


def smoothed():
    cv2.GaussianBlur(gray, (5, 5), 2, dst=smooth, borderType=cv2.BORDER_REPLICATE)
    return cv2.Canny(smooth, 20, 60, edges=out)


operations = {
    "Canny, L1": lambda: cv2.Canny(gray, 50, 150, edges=out),
    "Canny, L2": lambda: cv2.Canny(gray, 50, 150, edges=out, L2gradient=True),
    "Canny, smoothed 5x5, sigma 2": smoothed,
    "Hough lines": lambda: cv2.HoughLines(edges, 1, np.pi / 180, 100),
}

result = {}
for name, call in operations.items():
    answer = call()
    digest = hashlib.sha256(answer.tobytes()).hexdigest() if name.startswith("Canny") else None
    call()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 5:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    times.sort()
    result[name] = {"ms": times[len(times) // 2] * 1000, "sha256": digest}
lines = cv2.HoughLinesWithAccumulator(edges, 1, np.pi / 180, 100)
lines = [] if lines is None else [[float(rho), float(theta), int(votes)] for [[rho, theta, votes]] in lines]
print(json.dumps({"version": cv2.__version__, "operations": result, "lines": lines}))
