# The filters of the paper's sequential program with native OpenCV, whole frames of raw gray samples, by threads:
# width height file reflectionSize reflectionThreshold reflectionDilation gaussianSize gaussianSigma threads seconds -> JSON.
import hashlib, json, sys, time
try:
    import cv2, numpy as np
except ImportError as error:
    print(json.dumps({'skipped': str(error)})); sys.exit()
width, height, file = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
size, level, spread, taps, sigma = int(sys.argv[4]), float(sys.argv[5]), int(sys.argv[6]), int(sys.argv[7]), float(sys.argv[8])
threads, seconds = [int(n) for n in sys.argv[9].split(',')], float(sys.argv[10])
frames = np.fromfile(file, np.uint8).reshape(-1, height, width)
square = lambda k: np.ones((k, k), np.uint8)
hat, spots, mask, levels = (np.empty((height, width), np.uint8) for _ in range(4))
def prepare(frame):
    cv2.morphologyEx(frame, cv2.MORPH_TOPHAT, square(size), dst=hat)
    cv2.threshold(hat, level, 255, cv2.THRESH_BINARY, dst=spots)
    cv2.dilate(spots, square(spread), dst=mask)
    cv2.GaussianBlur(frame, (taps, taps), sigma, dst=levels, borderType=cv2.BORDER_REPLICATE)
digests = []
for frame in frames:
    prepare(frame)
    digests.append(hashlib.sha256(mask.tobytes() + levels.tobytes()).hexdigest())
times = {}
for count in threads:
    cv2.setNumThreads(count)
    found, end = [], time.perf_counter() + seconds
    prepare(frames[0])
    while len(found) < len(frames) or time.perf_counter() < end:
        start = time.perf_counter(); prepare(frames[len(found) % len(frames)]); found.append(1000 * (time.perf_counter() - start))
    times[count] = sorted(found)[len(found) // 2]
print(json.dumps({'version': cv2.__version__, 'digests': digests, 'ms': times}))
