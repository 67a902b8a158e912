"""python3 export_landmarks.py landmarks.pt models/landmarks-network.bin [answers.json]: the trained network as the engine's compact form.

answers.json: an image, and the points and distances that PyTorch finds in it with the stored weights."""
import json
import os
import sys

import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.path.insert(0, os.path.join(here, "../vessels"))
from network import SIDE, Landmarks, decode  # noqa: E402
from export import Writer  # noqa: E402

NOTICE = """Landmarks: 68 points of an upright face with their standard errors, from gray levels.
Trained by lab/train/landmarks of the foveola project (Apache-2.0) on rendered heads (ICT Face Model Light, USC Institute for Creative
Technologies, MIT) before drawn backgrounds and photographs without people: scikit-image's coffee, chelsea, rocket, brick, grass,
gravel and retina (CC0 and public domain), the High-Resolution Fundus database (Budai et al. 2013, CC BY 4.0), scikit-learn's china
(danielbuechele) and flower (vultilion), both CC BY 2.0. No photograph of a person was used."""


def drawn():
    """A face in the roughest way."""
    axis = (torch.arange(SIDE).float() + 0.5) / SIDE
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    blob = lambda u, v, w, h: torch.exp(-(((x - u) / w) ** 2) - ((y - v) / h) ** 2)
    face = 110 * blob(0.5, 0.5, 0.32, 0.42) - 80 * blob(0.37, 0.42, 0.07, 0.04) - 80 * blob(0.63, 0.42, 0.07, 0.04)
    return (80 + face - 25 * blob(0.5, 0.58, 0.07, 0.03) - 50 * blob(0.5, 0.72, 0.13, 0.03)).clamp(0, 255).round()[None, None]


def main(state, out, answers=None):
    model = Landmarks()
    model.load_state_dict(torch.load(state, map_location="cpu"))
    writer = Writer(16)
    model.eval().write(writer)
    data = writer.bytes(NOTICE)
    with open(out, "wb") as file:
        file.write(data)
    print(len(data), "bytes,", len(writer.layers), "layers")
    x = drawn()
    with torch.no_grad():
        stored, whole = writer.run(x), model(x / 128)
    apart = (decode(stored)[0] - decode(whole)[0]).norm(dim=2)
    print("8-bit weights move points by %.3f pixels in the mean, at most %.3f" % (apart.mean().item(), apart.max().item()))
    points, error = decode(stored)
    if answers:
        numbers = lambda t, digits: [round(float(v), digits) for v in t.flatten()]
        with open(answers, "w") as file:
            json.dump({"side": SIDE, "image": numbers(x, 0), "points": numbers(points, 3), "errors": numbers(error.exp(), 5)}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
