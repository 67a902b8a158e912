"""python3 backgrounds.py SHARED CHINA FLOWER OUT.npz: gray photographs without faces that a product may be trained on.

SHARED/data/free (CC0 and public domain, without the two that show people), some of SHARED/data/hrf (CC BY 4.0), and scikit-learn's
china.jpg and flower.jpg (CC BY 2.0); with text to write over them."""
import glob
import sys

import cv2
import numpy as np

shared, china, flower, out = sys.argv[1:]
free = ["coffee.png", "chelsea.png", "rocket.jpg", "brick.png", "grass.png", "gravel.png", "retina.jpg"]
files = [shared + "/data/free/" + name for name in free] + [china, flower] * 2
files += sorted(glob.glob(shared + "/data/hrf/*_h.jpg"))[:4]
pictures = []
for file in files:
    picture = cv2.imread(file, cv2.IMREAD_GRAYSCALE)
    scale = min(1.0, 900 / max(picture.shape))
    pictures.append(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))

# Text: letters, words and figures of any size, 0 to 255.
random = np.random.default_rng(1)
letters = list("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789000033355588&%?!@#.,:;-+=")
text = np.zeros((48, 512, 512), np.uint8)
for mask in text:
    size = 0.4 * 12 ** random.random() ** 1.5
    y = 0
    while y < 560:
        y += int(24 * size * random.uniform(1.0, 2.0)) + 2
        words = "".join(random.choice(letters, random.integers(1, 40))) if random.random() < 0.8 else ""
        place = (int(random.integers(-40, 300)), y)
        cv2.putText(mask, words, place, int(random.integers(0, 8)), size, 255, max(1, int(size * random.uniform(0.8, 5))), cv2.LINE_AA)
np.savez_compressed(out, *pictures, text=text)
