"""python3 backgrounds.py SHARED PACKAGES OUT.npz: gray photographs without faces that a product may be trained on, as JPEG.

SHARED/data/free (CC0 and public domain, without the two that show people), some of SHARED/data/hrf (CC BY 4.0), and from
Debian packages that are unpacked in PACKAGES (`dpkg -x`), each in a folder of its name: photographs of endless-sky-data and
lomiri-wallpapers-* whose license is public domain, CC0 or CC BY (their copyright files say so for each file), views of the
panoramas of blender-data (CC0), and china.jpg and flower.jpg of python3-sklearn (CC BY 2.0)."""
import fnmatch
import glob
import os
import re
import sys

os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
import cv2
import numpy as np

SIDE = 600
FREE = ["coffee.png", "chelsea.png", "rocket.jpg", "brick.png", "grass.png", "gravel.png", "retina.jpg"]
ALLOWED = re.compile(r"(public-domain|CC0|CC-BY-[\d.]+$)")
# These show people at work.
PEOPLE = ["scene/loc*"]


def allowed(folder, copyright_file):
    """Files below `folder` whose last paragraph in Debian's copyright file has an allowed license."""
    text = open(copyright_file, encoding="utf8").read()
    rules = []
    for paragraph in re.split(r"\n\s*\n", text):
        files = re.search(r"^Files:((?:.*\n(?:[ \t].*\n?)*))", paragraph + "\n", re.M)
        license_ = re.search(r"^License:\s*(\S+)", paragraph, re.M)
        if files and license_:
            rules += [(pattern, license_[1]) for pattern in files[1].split()]
    for file in sorted(glob.glob(folder + "/**/*.*", recursive=True)):
        name = os.path.relpath(file, folder)
        found = [license_ for pattern, license_ in rules if fnmatch.fnmatch(name, pattern) or os.path.basename(name) == os.path.basename(pattern)]
        if file.endswith((".jpg", ".png")) and found and ALLOWED.match(found[-1]):
            yield file, name


def gray(picture):
    scale = min(1.0, SIDE / max(picture.shape))
    return cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def views(file, random, count=9):
    """Perspective views of a panorama, exposed for each."""
    sky = cv2.imread(file, cv2.IMREAD_UNCHANGED)[..., :3].astype(np.float32)
    height, width = sky.shape[:2]
    x, y = np.meshgrid(np.linspace(-1, 1, 480), np.linspace(-0.75, 0.75, 360))
    for k in range(count):
        zoom = np.tan(np.deg2rad(random.uniform(25, 45)))
        pitch, yaw = np.deg2rad(random.uniform(-25, 15)), 2 * np.pi * k / count
        ray = np.stack([zoom * x, zoom * y, np.ones_like(x)], -1)
        c, s = np.cos(pitch), np.sin(pitch)
        ray = np.stack([ray[..., 0], c * ray[..., 1] - s * ray[..., 2], s * ray[..., 1] + c * ray[..., 2]], -1)
        u = (np.arctan2(ray[..., 0], ray[..., 2]) + yaw) / (2 * np.pi) % 1 * width
        v = (np.arctan2(ray[..., 1], np.hypot(ray[..., 0], ray[..., 2])) / np.pi + 0.5) * height
        seen = cv2.remap(sky, u.astype(np.float32), v.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
        level = seen @ np.float32([0.11, 0.59, 0.3])
        yield (255 * np.clip(0.45 * level / np.median(level), 0, 1) ** (1 / 2.2)).astype(np.uint8)


def text_masks():
    """Letters, words and figures of any size, 0 to 255."""
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
    return text


def main(shared, packages, out):
    random = np.random.default_rng(1)
    files = [shared + "/data/free/" + name for name in FREE]
    files += sorted(glob.glob(shared + "/data/hrf/*_h.jpg"))[:4]
    files += [glob.glob(packages + "/python3-sklearn/usr/**/" + name, recursive=True)[0] for name in ("china.jpg", "flower.jpg")]
    sky = packages + "/endless-sky-data/usr/share/"
    for file, name in allowed(sky + "games/endless-sky", sky + "doc/endless-sky-data/copyright"):
        if re.match(r"images/(land|scene)/", name) and not any(fnmatch.fnmatch(name, "images/" + one) for one in PEOPLE):
            files.append(file)
    for folder in glob.glob(packages + "/lomiri-wallpapers-*"):
        files += [file for file, _ in allowed(folder, glob.glob(folder + "/usr/share/doc/*/copyright")[0])]
    pictures = [gray(cv2.imread(file, cv2.IMREAD_GRAYSCALE)) for file in files]
    for file in sorted(glob.glob(packages + "/blender-data/usr/share/blender/datafiles/studiolights/world/*.exr")):
        if not file.endswith("/sunset.exr"):  # people on a promenade
            pictures += views(file, random)
    np.savez(out, *[cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 72])[1] for picture in pictures])
    print(len(pictures), "photographs")


if __name__ == "__main__":
    main(*sys.argv[1:])
