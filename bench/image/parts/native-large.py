"""Times numpy and OpenCV on ten million samples, one thread: the cases of largeOperations in operations.ts. Prints JSON."""
import json
import sys
import time

try:
    import cv2
    import numpy as np
except ImportError as error:
    print(json.dumps({"skipped": f"{sys.executable}: {error}"}))
    sys.exit(0)

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.3
cv2.setNumThreads(1)
draw = np.random.default_rng(1)
u8 = np.where(draw.random(10_000_000) < 0.3, draw.integers(0, 256, 10_000_000), 0).astype(np.uint8)
u32 = u8.astype(np.uint32) * 65537
f32 = u8.astype(np.float32) / 255
out = np.empty(u8.shape, np.uint32)
image8, imagef = u8.reshape(2500, 4000), f32.reshape(2500, 4000)

operations = {
    "inclusive scan of bytes": lambda: np.cumsum(u8, dtype=np.uint32, out=out),
    "inclusive scan of 32 bits": lambda: np.cumsum(u32, dtype=np.uint32, out=out),
    "compaction": lambda: cv2.findNonZero(image8),
    "sum, minimum, maximum of bytes": lambda: (cv2.sumElems(image8), cv2.minMaxLoc(image8)),
    "sum, minimum, maximum of 32 bits": lambda: (u32.sum(), u32.min(), u32.max()),
    "sum, minimum, maximum of floats": lambda: (cv2.sumElems(imagef), cv2.minMaxLoc(imagef)),
}
result = {}
for name, call in operations.items():
    call()
    times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    times.sort()
    result[name] = {"ms": times[len(times) // 2] * 1000}
print(json.dumps({"version": f"{cv2.__version__}, numpy {np.__version__}", "operations": result}))
