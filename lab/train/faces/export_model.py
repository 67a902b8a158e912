"""python3 export_model.py detector.pt LEVEL models/faces.bin [answers.json]: the trained detector as the engine's compact form.

LEVEL is the log-odds that train.py chose on held-out renders; it becomes score 0.5. answers.json: a picture and what PyTorch says."""
import json
import os
import sys

import torch

import detector

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../vessels"))
from export import Writer  # noqa: E402

NOTICE = """Faces: boxes with score, turn and five points, from gray levels.
Trained by lab/train/faces of the foveola project (Apache-2.0) on rendered heads (ICT Face Model Light, USC Institute for Creative
Technologies, MIT) before drawn backgrounds and photographs without people: scikit-image's coffee, chelsea, rocket, brick, grass,
gravel and retina (CC0 and public domain), the High-Resolution Fundus database (Budai et al. 2013, CC BY 4.0), scikit-learn's china
(danielbuechele) and flower (vultilion), both CC BY 2.0, landscapes of the game Endless Sky (public domain; eso0: ESO/L. Calcada, CC BY
4.0), and wallpapers of Lomiri by Aitzol Berasategi, Trevor "Freespace", Abhishek Mudgal, Jakub Mede (CC BY 4.0) and Clemens Engelhardt
(CC0). No photograph of a person was used."""


def main(state, level, out, answers=None):
    model = detector.Detector()
    model.load_state_dict(torch.load(state, map_location="cpu"))
    writer = Writer(32)
    model.eval().write(writer, float(level))
    data = writer.bytes(NOTICE)
    with open(out, "wb") as file:
        file.write(data)
    print(len(data), "bytes,", len(writer.layers), "layers")
    torch.manual_seed(1)
    x = torch.nn.functional.interpolate(torch.randint(0, 256, (1, 1, 9, 11)).float(), (64, 96), mode="bilinear").round()
    with torch.no_grad():
        stored, whole = writer.run(x), model(x / 128)
    print("8-bit weights change log-odds by at most", (stored[:, 0] + float(level) - whole[:, 0]).abs().max().item())
    if answers:
        numbers = lambda t: [round(float(v), 4) for v in t.flatten()]
        with open(answers, "w") as file:
            json.dump({"width": 96, "height": 64, "picture": numbers(x), "answers": numbers(stored[0].permute(1, 2, 0))}, file)


if __name__ == "__main__":
    sys.path.insert(0, here)
    main(*sys.argv[1:])
