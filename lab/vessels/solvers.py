# Eigenvalues of the Hessian's matrices by libraries: numpy's eigh (LAPACK's syevd, with vectors) on all pixels, and
# OpenCV's eigen (Jacobi, with vectors) call by call on some: file (three planes of float32) pixels calls -> JSON.
import json, sys, time
try:
    import cv2, numpy as np
except ImportError as error:
    print(json.dumps({'skipped': str(error)})); sys.exit()
file, pixels, calls = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
cv2.setNumThreads(1)
h, v, d = np.fromfile(file, np.float32).reshape(3, pixels)
matrices = np.stack([np.stack([h, d], 1), np.stack([d, v], 1)], 1)
def clock(body):
    start = time.perf_counter(); out = body(); return 1000 * (time.perf_counter() - start), out
ms, (values, _) = clock(lambda: np.linalg.eigh(matrices))
root = np.sqrt((h - v) ** 2 + 4 * d * d)
worst = float(np.max(np.abs(values - np.stack([(v + h - root) / 2, (v + h + root) / 2], 1))))
some = list(matrices[:: max(1, pixels // calls)][:calls])
each, _ = clock(lambda: [cv2.eigen(one) for one in some])
empty, _ = clock(lambda: [cv2.norm(one) for one in some])
print(json.dumps({'version': cv2.__version__, 'numpy': np.__version__, 'eigh': ms, 'worst': worst,
                  'eigen': each / len(some) * pixels, 'call': empty / len(some) * pixels}))
