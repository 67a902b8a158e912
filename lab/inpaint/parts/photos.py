# Photographs for `bench accuracy inpaint`, and OpenCV's own fillings of them.
#   photos.py sizes FOLDER LIMIT              prints [name, width, height] of each picture, at most LIMIT pixels a side
#   photos.py square FOLDER SIDE JSON OUT      JSON: [name]; writes N.source (RGBA) of SIDE x SIDE to OUT
#   photos.py fill FOLDER LIMIT JSON OUT      JSON: [{name, x, y, side}]; writes N.source and N.telea (RGBA) to OUT
import json
import os
import sys

import cv2
import numpy as np

cv2.setNumThreads(1)
what, folder, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])


def read(name):
    image = cv2.imread(os.path.join(folder, name), cv2.IMREAD_COLOR)
    scale = limit / max(image.shape[:2])
    return cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image


def rgba(image):
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGBA)


if what == "sizes":
    names = sorted(os.listdir(folder))
    print(json.dumps([[name, *read(name).shape[1::-1]] for name in names]))
elif what == "square":
    for i, name in enumerate(json.loads(sys.argv[4])):
        image = cv2.imread(os.path.join(folder, name), cv2.IMREAD_COLOR)
        image = cv2.resize(image, (limit, limit), interpolation=cv2.INTER_AREA)
        rgba(image).tofile(os.path.join(sys.argv[5], f"{i}.source"))
else:
    seconds = []
    for i, hole in enumerate(json.loads(sys.argv[4])):
        image = read(hole["name"])
        mask = np.zeros(image.shape[:2], np.uint8)
        x, y, side = hole["x"], hole["y"], hole["side"]
        mask[y : y + side, x : x + side] = 255
        start = cv2.getTickCount()
        telea = cv2.inpaint(image, mask, 3, cv2.INPAINT_TELEA)
        seconds.append((cv2.getTickCount() - start) / cv2.getTickFrequency())
        rgba(image).tofile(os.path.join(sys.argv[5], f"{i}.source"))
        rgba(telea).tofile(os.path.join(sys.argv[5], f"{i}.telea"))
    print(json.dumps({"version": cv2.__version__, "seconds": seconds}))
