"""python3 export_landmarks.py landmarks.pt models/landmarks-network.bin [answers.json]: the trained network as the engine's compact form.

answers.json: an image, what PyTorch says with the stored weights, and its points."""
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
Trained by lab/train/landmarks of the foveola project (MIT) on rendered heads (ICT Face Model Light, USC Institute for Creative
Technologies, MIT) before drawn backgrounds and photographs without people: scikit-image's coffee, chelsea, rocket, brick, grass,
gravel and retina (CC0 and public domain), the High-Resolution Fundus database (Budai et al. 2013, CC BY 4.0), scikit-learn's china
(danielbuechele) and flower (vultilion), both CC BY 2.0. No photograph of a person was used."""


def main(state, out, answers=None):
    model = Landmarks()
    model.load_state_dict(torch.load(state, map_location="cpu"))
    writer = Writer(16)
    model.eval().write(writer)
    data = writer.bytes(NOTICE)
    with open(out, "wb") as file:
        file.write(data)
    print(len(data), "bytes,", len(writer.layers), "layers")
    torch.manual_seed(1)
    x = torch.nn.functional.interpolate(torch.randint(0, 256, (1, 1, 9, 9)).float(), (SIDE, SIDE), mode="bilinear").round()
    with torch.no_grad():
        stored, whole = writer.run(x), model(x / 128)
    apart = (decode(stored)[0] - decode(whole)[0]).norm(dim=2)
    print("8-bit weights move points by %.3f pixels in the mean, at most %.3f" % (apart.mean().item(), apart.max().item()))
    if answers:
        numbers = lambda t, digits: [round(float(v), digits) for v in t.flatten()]
        with open(answers, "w") as file:
            json.dump({"side": SIDE, "image": numbers(x, 0), "points": numbers(decode(stored)[0], 3)}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
