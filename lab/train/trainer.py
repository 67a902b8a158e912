"""Used by all trainers: the log of a run, and the moving mean of its weights."""
import os
import time

import torch


def logger(folder):
    """Prints lines with the seconds since its start, and keeps them in log.txt of a folder."""
    began = time.time()
    os.makedirs(folder, exist_ok=True)

    def log(*words):
        text = "%6.1f " % (time.time() - began) + " ".join(str(w) for w in words)
        print(text, flush=True)
        with open(folder + "/log.txt", "a") as file:
            file.write(text + "\n")

    return log


@torch.no_grad()
def follow(smooth, model, step, most=0.998):
    """Moves the weights of `smooth` towards those of `model`; later steps move them less. Buffers are copied."""
    keep = min(most, (step + 1) / (step + 10))
    parameters = list(smooth.parameters())
    torch._foreach_mul_(parameters, keep)
    torch._foreach_add_(parameters, [p.detach() for p in model.parameters()], alpha=1 - keep)
    for to, source in zip(smooth.buffers(), model.buffers()):
        to.copy_(source)
