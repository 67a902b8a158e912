"""python3 backgrounds.py SHARED CHINA FLOWER PACKAGES OUT.npz: gray photographs without faces that a product may be trained on.

SHARED/data/free (CC0 and public domain, without the two that show people), some of SHARED/data/hrf (CC BY 4.0), scikit-learn's
china.jpg and flower.jpg (CC BY 2.0), and, of Debian's packages endless-sky-data, lomiri-wallpapers-16.04 and -20.04 that were
unpacked in PACKAGES, what their copyright files call public domain, CC0 or CC BY; with text to write over them."""
import fnmatch
import glob
import os
import re
import sys

import cv2
import numpy as np

shared, china, flower, packages, out = sys.argv[1:]
# They show people, or nearly nothing.
LEFT_OUT = "galaxy loc? army? space3 space5 station2 nasa4 beach0".split()


def free(package):
    """Photographs of a package by the stanzas of its copyright file, the last of which counts."""
    (notice,) = glob.glob(package + "/usr/share/doc/*/copyright")
    stanzas = re.findall(r"^Files:\s*(.*?)^Copyright:.*?^License:\s*(\S+)", open(notice).read(), re.M | re.S)
    for file in sorted(glob.glob(package + "/usr/share/**/*.jpg", recursive=True)):
        base, license_ = os.path.basename(file), ""
        if any(fnmatch.fnmatch(base, name + ".jpg") for name in LEFT_OUT):
            continue
        for names, given in stanzas:
            if any(fnmatch.fnmatch(file, "*" + name) or os.path.basename(name) == base for name in names.split()):
                license_ = given
        if license_ in ("public-domain", "CC0-1.0", "CC-BY-4.0"):
            yield file


names = ["coffee.png", "chelsea.png", "rocket.jpg", "brick.png", "grass.png", "gravel.png", "retina.jpg"]
files = [shared + "/data/free/" + name for name in names] * 3 + [china, flower] * 6
files += sorted(glob.glob(shared + "/data/hrf/*_h.jpg"))[:4]
for package in ("endless-sky-data", "lomiri-wallpapers-16.04", "lomiri-wallpapers-20.04"):
    files += free(os.path.join(packages, package))
print(len(files), "photographs")
pictures = []
for file in files:
    picture = cv2.imread(file, cv2.IMREAD_GRAYSCALE)
    scale = min(1.0, 560 / max(picture.shape))
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    pictures.append(cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 85))[1])

# Text: letters, words and figures of any size, one bit a pixel.
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
np.savez_compressed(out, *pictures, text=np.packbits(text > 127, axis=-1))
