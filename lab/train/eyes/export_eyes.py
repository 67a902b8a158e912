"""python3 export_eyes.py eyes.pt models/eyes.bin [answers.json]: the trained network as the engine's compact form.

answers.json: a picture, and the log-odds that PyTorch finds in it with the stored weights."""
import json
import os
import sys

import torch

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
sys.path.insert(0, os.path.join(here, "../vessels"))
from network import Eyes  # noqa: E402
from export import Writer  # noqa: E402

NOTICE = """Eyes: pupil, iris and the opening between the lids, from gray levels.
Trained by lab/train/eyes of the foveola project (Apache-2.0) on eyes that it rendered. No photograph was used. For research use, not a
medical device."""


def drawn(width, height):
    """An eye in the roughest way."""
    y, x = torch.meshgrid(torch.arange(height).float(), torch.arange(width).float(), indexing="ij")
    disc = lambda r: (r - ((x - 0.5 * width) ** 2 + (y - 0.5 * height) ** 2).sqrt()).clamp(0, 1)
    lids = (0.34 * height * (1 - ((x / width - 0.5) / 0.45) ** 2) - (y - 0.5 * height).abs()).clamp(0, 1)
    ball = 190 - 90 * disc(0.24 * height) - 70 * disc(0.1 * height)
    return (130 + (ball - 130) * lids).round()[None, None]


def main(state, out, answers=None):
    model = Eyes()
    model.load_state_dict(torch.load(state, map_location="cpu"))
    writer = Writer(16)
    model.eval().write(writer)
    data = writer.bytes(NOTICE)
    with open(out, "wb") as file:
        file.write(data)
    print(len(data), "bytes,", len(writer.layers), "layers")
    x = drawn(96, 80)
    with torch.no_grad():
        stored, whole = writer.run(x), model(x / 128)
    print("8-bit weights change probabilities by %.4f in the mean" % (stored.sigmoid() - whole.sigmoid()).abs().mean().item())
    if answers:
        numbers = lambda t, digits: [round(float(v), digits) for v in t.flatten()]
        with open(answers, "w") as file:
            json.dump({"width": 96, "height": 80, "picture": numbers(x, 0), "answers": numbers(stored[0].permute(1, 2, 0), 3)}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
