"""OpenCV's optical flow on one thread. Prints JSON; { "skipped": reason } without cv2.

usage: native.py dense METHOD PREVIOUS NEXT OUT                images; OUT gets u and v interleaved, 32-bit floats
       native.py frames VIDEO WIDTH HEIGHT FOLDER COUNT        two frames of a video and COUNT corners of the first
       native.py sparse WIDTH HEIGHT PREVIOUS NEXT POINTS SECONDS COUNT...
"""
import json
import os
import sys
import time

try:
    import cv2
    import numpy as np
except ImportError as error:
    print(json.dumps({"skipped": f"{sys.executable}: {error}"}))
    sys.exit(0)

cv2.setNumThreads(1)
criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.01)


def gray(path, width, height):
    return np.fromfile(path, np.uint8).reshape(height, width)


def every_pixel(window):
    def flow(a, b):
        height, width = a.shape
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        points = np.stack([x, y], -1).reshape(-1, 1, 2)
        out, _, _ = cv2.calcOpticalFlowPyrLK(a, b, points, None, winSize=(window, window), maxLevel=3, criteria=criteria)
        found = (out - points).reshape(height, width, 2)
        return found

    return flow


methods = {
    "LK at every pixel, 21x21": every_pixel(21),
    "LK at every pixel, 15x15": every_pixel(15),
    "Farneback": lambda a, b: cv2.calcOpticalFlowFarneback(a, b, None, 0.5, 3, 15, 3, 5, 1.2, 0),
    "DIS medium": lambda a, b: cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM).calc(a, b, None),
    # These two take colors.
    "SparseToDense": lambda a, b: cv2.optflow.calcOpticalFlowSparseToDense(a, b),
    "DenseRLOF": lambda a, b: cv2.optflow.DenseRLOFOpticalFlow_create().calc(a, b, None),
}


def dense(method, previous, following, out):
    kind = cv2.IMREAD_COLOR if method in ("SparseToDense", "DenseRLOF") else cv2.IMREAD_GRAYSCALE
    a, b = cv2.imread(previous, kind), cv2.imread(following, kind)
    start = time.process_time()
    flow = methods[method](a, b)
    ms = 1000 * (time.process_time() - start)
    np.ascontiguousarray(flow, np.float32).tofile(out)
    return {"ms": ms}


def frames(video, width, height, folder, count):
    capture = cv2.VideoCapture(video)
    read = []
    while len(read) < 22:
        ok, frame = capture.read()
        if not ok:
            return {"skipped": f"{video} cannot be read"}
        read.append(frame)
    pair = [
        cv2.resize(cv2.cvtColor(f, cv2.COLOR_BGR2GRAY), (width, height), interpolation=cv2.INTER_CUBIC) for f in read[20:]
    ]
    for name, image in zip(("previous", "next"), pair):
        image.tofile(os.path.join(folder, name))
    points = cv2.goodFeaturesToTrack(pair[0], count, 0.001, 5)
    points.astype(np.float32).tofile(os.path.join(folder, "points"))
    return {"points": len(points)}


def sparse(width, height, previous, following, points, seconds, counts):
    a, b = gray(previous, width, height), gray(following, width, height)
    all_points = np.fromfile(points, np.float32).reshape(-1, 1, 2)
    times = {}
    for count in counts:
        some = all_points[:count]
        measured = []
        end = time.perf_counter() + seconds
        while not measured or time.perf_counter() < end:
            start = time.process_time()
            cv2.calcOpticalFlowPyrLK(a, b, some, None, winSize=(21, 21), maxLevel=3, criteria=criteria)
            measured.append(1000 * (time.process_time() - start))
        times[count] = float(np.median(measured))
    return {"ms": times}


kind, *rest = sys.argv[1:]
if kind == "dense":
    answer = dense(*rest)
elif kind == "frames":
    answer = frames(rest[0], int(rest[1]), int(rest[2]), rest[3], int(rest[4]))
else:
    answer = sparse(int(rest[0]), int(rest[1]), *rest[2:5], float(rest[5]), [int(n) for n in rest[6:]])
print(json.dumps({"version": cv2.__version__, **answer}))
