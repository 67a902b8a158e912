"""The network: encoder and decoder over four sizes, 3x3 convolutions and ReLU throughout, the last layer pointwise."""
import torch
from torch import nn
import torch.nn.functional as F


class Layer(nn.Module):
    """Convolution, normalization that is folded into it when it is exported, ReLU."""

    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(outputs, momentum=0.02)

    def forward(self, x):
        return F.relu(self.norm(self.conv(x)))

    def folded(self):
        factor = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        return self.conv.weight * factor[:, None, None, None], self.norm.bias - self.norm.running_mean * factor


class Network(nn.Module):
    """`step` 2: the answer has half the size of the picture."""

    def __init__(self, sizes=(8, 16, 32, 40), step=1):
        super().__init__()
        a, b, c, d = sizes
        self.sizes, self.step = sizes, step
        self.a0, self.a1 = Layer(1, a, step), Layer(a, a)
        self.b0, self.b1 = Layer(a, b, 2), Layer(b, b)
        self.c0, self.c1 = Layer(b, c, 2), Layer(c, c)
        self.d0, self.d1 = Layer(c, d, 2), Layer(d, d)
        self.e0 = Layer(d + c, c)
        self.f0, self.f1 = Layer(c + b, b), Layer(b, b)
        self.g0, self.g1 = Layer(b + a, a), Layer(a, a)
        self.last = nn.Conv2d(a, 1, 1)

    def forward(self, x):
        up = lambda t: F.interpolate(t, scale_factor=2.0, mode="nearest")
        a = self.a1(self.a0(x))
        b = self.b1(self.b0(a))
        c = self.c1(self.c0(b))
        d = self.d1(self.d0(c))
        e = self.e0(torch.cat([up(d), c], 1))
        f = self.f1(self.f0(torch.cat([up(e), b], 1)))
        g = self.g1(self.g0(torch.cat([up(f), a], 1)))
        return self.last(g)

    def export(self):
        """Weights and biases by layer, normalization folded in."""
        out = {}
        for name, layer in self.named_children():
            weight, bias = layer.folded() if isinstance(layer, Layer) else (layer.weight, layer.bias)
            out[name + ".weight"] = weight.detach().float().cpu().numpy()
            out[name + ".bias"] = bias.detach().float().cpu().numpy()
        return out


def padded(model, x, multiple=8):
    """Logits of whole images, whatever their size."""
    height, width = x.shape[-2:]
    bottom, right = -height % multiple, -width % multiple
    return model(F.pad(x, (0, right, 0, bottom), mode="replicate"))[..., :height, :width]


def averaged(model, x, scales=(0.8, 1.0, 1.25)):
    """Mean probability over sizes, turns and mirror images."""
    total, count = 0, 0
    height, width = x.shape[-2:]
    for scale in scales:
        size = (round(height * scale), round(width * scale))
        sized = x if scale == 1 else F.interpolate(x, size, mode="bilinear", align_corners=False)
        for turn in range(4):
            for mirror in (False, True):
                y = torch.rot90(sized, turn, (2, 3))
                y = torch.flip(y, (3,)) if mirror else y
                p = torch.sigmoid(padded(model, y.contiguous()).float())
                p = torch.flip(p, (3,)) if mirror else p
                p = torch.rot90(p, -turn, (2, 3))
                total = total + F.interpolate(p, (height, width), mode="bilinear", align_corners=False)
                count += 1
    return total / count
