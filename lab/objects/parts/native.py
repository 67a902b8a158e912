"""OpenCV's TLD (opencv-contrib, module legacy). Prints JSON; { "skipped": reason } without it.

usage: native.py FRAMES WIDTH HEIGHT X Y BOXWIDTH BOXHEIGHT STEPS WARM      FRAMES: gray frames one after the other
"""
import json
import sys
import time

try:
    import cv2
    import numpy as np

    make = cv2.legacy.TrackerTLD_create
except (ImportError, AttributeError) as error:
    print(json.dumps({"skipped": f"{sys.executable}: {error}"}))
    sys.exit(0)

path = sys.argv[1]
width, height = map(int, sys.argv[2:4])
box = tuple(map(float, sys.argv[4:8]))
steps, warm = map(int, sys.argv[8:10])
frames = np.fromfile(path, np.uint8).reshape(-1, height, width)
images = [cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR) for frame in frames]
cv2.setRNGSeed(1)
tracker = make()
tracker.init(images[0], tuple(int(round(v)) for v in box))
wall, cpu = [], []
for i in range(1, steps + 1):
    k = i % max(1, 2 * len(images) - 2)
    image = images[k if k < len(images) else 2 * len(images) - 2 - k]
    start, before = time.perf_counter(), time.process_time()
    tracker.update(image)
    if i > warm:
        wall.append(1000 * (time.perf_counter() - start))
        cpu.append(1000 * (time.process_time() - before))
print(json.dumps({"ms": float(np.median(wall)), "cpu": float(np.mean(cpu)), "version": cv2.__version__}))
