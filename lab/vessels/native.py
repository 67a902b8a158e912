# Eigenvalues of the Hessian with native OpenCV filters and numpy, one thread: width height sigma file seconds -> JSON.
import json, math, sys, time
try:
    import cv2, numpy as np
except ImportError as error:
    print(json.dumps({'skipped': str(error)})); sys.exit()
width, height, sigma, file, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), sys.argv[4], float(sys.argv[5])
cv2.setNumThreads(1)
image = np.fromfile(file, np.uint8).reshape(height, width)
size = 2 * math.ceil(3 * sigma) + 1
xx = np.array([[1, -2, 1]], np.float32)
xy = np.array([[1, 0, -1], [0, 0, 0], [-1, 0, 1]], np.float32) / 4
border = cv2.BORDER_REPLICATE
def filters():
    l = cv2.GaussianBlur(image.astype(np.float32) * np.float32(1 / 255), (size, size), sigma, borderType=border)
    return [cv2.filter2D(l, -1, kernel, borderType=border) for kernel in (xx, xx.T, xy)]
def solve(h, v, d):
    mean, half = (h + v) * np.float32(0.5), (h - v) * np.float32(0.5)
    root = np.sqrt(half * half + d * d)
    signed = np.copysign(root, mean)
    return mean - signed, mean + signed
def median(body):
    times, end = [], time.process_time() + seconds
    body()
    while not times or time.process_time() < end:
        start = time.process_time(); body(); times.append(1000 * (time.process_time() - start))
    return sorted(times)[len(times) // 2]
parts = filters()
print(json.dumps({'version': cv2.__version__, 'filters': median(filters), 'whole': median(lambda: solve(*filters()))}))
