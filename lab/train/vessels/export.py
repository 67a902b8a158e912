"""Writes a trained network as the engine's compact form, and answers of PyTorch for tests.

python3 export.py student.pt models/vessels.bin [test/golden/network/layers.json]
python3 export.py kinds/student.pt kinds.bin --kinds: the network of kinds.py
"""
import base64
import json
import struct
import sys
import zlib

import numpy as np
import torch
import torch.nn.functional as F

from model import Network

OPERATIONS = ["convolution", "depthwise", "pointwise", "add", "concat", "upsample", "max-pool", "mean-pool", "mean"]
NOTICE = """Vessels of fundus photographs: probability from the contrast of the green channel.
Trained by lab/train/vessels of the foveola project (Apache-2.0) on drawn retinas and on photographs of the High-Resolution Fundus
database (Budai, Bock, Maier, Hornegger, Michelson: Robust Vessel Segmentation in Fundus Images, International Journal of
Biomedical Imaging 2013, CC BY 4.0), whose vessels were erased and redrawn or labeled by a larger network of the same
training. No manual labels were used. For research use, not a medical device."""


def quantized(weight):
    """8 bits with a scale for each output, by output, row, column and input."""
    flat = weight.transpose(0, 2, 3, 1).reshape(len(weight), -1)
    scale = np.maximum(np.abs(flat).max(1), 1e-12) / 127
    return np.clip(np.round(flat / scale[:, None]), -127, 127).astype(np.int8), scale.astype(np.float32)


class Writer:
    """Layers one after the other; the number of each is what others read it by."""

    def __init__(self, multiple):
        self.multiple, self.layers, self.channels = multiple, [], [1]

    def add(self, operation, sources, outputs=None, step=1, slope=1.0, ceiling=float("inf"), weight=None, bias=None):
        given = [self.channels[s] for s in sources]
        count = outputs or (sum(given) if operation == "concat" else given[0])
        body = struct.pack("<BBHH", OPERATIONS.index(operation), step, count, len(sources))
        body += struct.pack("<%dH" % len(sources), *sources) + struct.pack("<ff", slope, ceiling)
        values = scale = None
        if weight is not None:
            values, scale = quantized(weight)
            body += scale.tobytes() + np.float32(bias).tobytes() + values.tobytes()
        self.layers.append((body, operation, sources, step, slope, ceiling, weight, values, scale, bias))
        self.channels.append(count)
        return len(self.layers)

    def run(self, x):
        """By PyTorch, with the weights as they are stored."""
        tensors = [x]
        for _, operation, sources, step, slope, ceiling, weight, values, scale, bias in self.layers:
            given = [tensors[s] for s in sources]
            if weight is not None:
                stored = (values.astype(np.float32) * scale[:, None]).reshape(len(weight), *weight.shape[2:], weight.shape[1])
                stored = torch.from_numpy(np.ascontiguousarray(stored.transpose(0, 3, 1, 2)))
                groups = len(weight) if operation == "depthwise" else 1
                y = F.conv2d(given[0], stored, torch.from_numpy(np.float32(bias)), step, weight.shape[2] // 2, 1, groups)
            elif operation == "add":
                y = given[0] + given[1]
            elif operation == "concat":
                y = torch.cat(given, 1)
            elif operation == "upsample":
                y = F.interpolate(given[0], scale_factor=2.0, mode="nearest")
            elif operation == "mean":
                y = given[0].mean((2, 3), keepdim=True)
            else:
                y = (F.max_pool2d if operation == "max-pool" else F.avg_pool2d)(given[0], 2)
            tensors.append(torch.minimum(torch.maximum(y, slope * y), torch.tensor(ceiling)))
        return tensors[-1]

    def bytes(self, notice):
        payload = struct.pack("<HH", len(self.layers), self.multiple) + b"".join(layer[0] for layer in self.layers)
        text = notice.encode()
        rest = text + b"\0" * (-(20 + len(text)) % 16) + payload
        return b"FOVM" + struct.pack("<HHIII", 4, 1, len(text), len(payload), zlib.crc32(rest)) + rest


def vessels(state, step=1):
    sizes = tuple(state[name + ".conv.weight"].shape[0] for name in ("a0", "b0", "c0", "d0"))
    model = Network(sizes, step)
    model.load_state_dict(state)
    values = model.eval().export()
    writer = Writer(8 * step)

    def layer(name, source, step=1):
        weight, bias = values[name + ".weight"], values[name + ".bias"]
        operation = "convolution" if weight.shape[2] == 3 else "pointwise"
        slope = 1.0 if name == "last" else 0.0
        return writer.add(operation, [source], len(weight), step, slope, weight=weight, bias=bias)

    a = layer("a1", layer("a0", 0, step))
    b = layer("b1", layer("b0", a, 2))
    c = layer("c1", layer("c0", b, 2))
    d = layer("d1", layer("d0", c, 2))
    join = lambda low, high: writer.add("concat", [writer.add("upsample", [low]), high])
    e = layer("e0", join(d, c))
    f = layer("f1", layer("f0", join(e, b)))
    g = layer("g1", layer("g0", join(f, a)))
    layer("last", g)
    return model, writer


def every_layer():
    random = np.random.default_rng(5)

    def filters(outputs, inputs, side):
        return {"weight": random.normal(size=(outputs, inputs, side, side)).astype(np.float32) / np.sqrt(inputs * side),
                "bias": random.normal(size=outputs).astype(np.float32) / 4}

    w = Writer(4)
    a = w.add("convolution", [0], 6, slope=0.1, **filters(6, 1, 3))
    b = w.add("depthwise", [a], slope=0.0, ceiling=6.0, **filters(6, 1, 3))
    c = w.add("add", [a, w.add("pointwise", [b], 6, **filters(6, 6, 1))], slope=0.0)
    d = w.add("convolution", [c], 12, step=2, slope=0.0, **filters(12, 6, 3))
    e = w.add("depthwise", [w.add("mean-pool", [d])], slope=0.0, **filters(12, 1, 3))
    f = w.add("concat", [d, w.add("upsample", [e])])
    g = w.add("max-pool", [f])
    h = w.add("mean", [g])
    w.add("pointwise", [w.add("pointwise", [h], 10, slope=0.0, **filters(10, 24, 1))], 3, **filters(3, 10, 1))
    return w


def encoded(values):
    return base64.b64encode(np.ascontiguousarray(values, np.float32).tobytes()).decode()


def golden(name, writer, notice, height, width, bits):
    torch.manual_seed(3)
    x = torch.randn(1, 1, height, width)
    y = writer.run(x)[0].numpy().transpose(1, 2, 0)
    case = {"name": name, "width": width, "height": height, "input": encoded(x), "output": encoded(y)}
    return {**case, **({"network": base64.b64encode(bits).decode()} if bits else {})}


def main():
    kinds = "--kinds" in sys.argv
    model, writer = vessels(torch.load(sys.argv[1], map_location="cpu"), 2 if kinds else 1)
    x = torch.randn(1, 1, 64, 64)
    with torch.no_grad():
        print("error of 8 bits at noise: %.4f" % (model(x) - writer.run(x)).abs().mean().item())
    notice = NOTICE.replace("probability from the contrast of the green channel", "odds of an artery from green and red") if kinds else NOTICE
    bits = writer.bytes(notice)
    open(sys.argv[2], "wb").write(bits)
    print(len(bits), "bytes,", sum(p.numel() for p in model.parameters()), "parameters")
    if len(sys.argv) > 3 and not kinds:
        layers = every_layer()
        cases = [golden("vessels", writer, NOTICE, 24, 40, None), golden("every layer", layers, "", 16, 20, layers.bytes("test"))]
        json.dump(cases, open(sys.argv[3], "w"), indent=0)


if __name__ == "__main__":
    main()
