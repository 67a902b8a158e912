/** Takes the seams out of a filled hole: see assembly/inpaint/blend.ts for the equation. */
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { SeamsRecord } from '../runtime/wasm/records.ts';
import type { Scope } from '../runtime/scope.ts';
import type { Filling } from './picture.ts';

/** Sweeps; what a misfit still changes after them is below half a level. */
const SWEEPS = 60;

/** Changes the picture's filled pixels in place. */
export const blend = (scope: Scope, filling: Filling): Plan<void> =>
  scope.part(function* (inner) {
    const [boxX, boxY] = [filling.get('boxX'), filling.get('boxY')];
    const x = Math.max(0, boxX - 1);
    const y = Math.max(0, boxY - 1);
    const width = Math.min(filling.get('width'), boxX + filling.get('boxWidth') + 1) - x;
    const height = Math.min(filling.get('height'), boxY + filling.get('boxHeight') + 1) - y;
    const pixels = width * height;
    const values = inner.block(16 * pixels).address;
    const constants = inner.block(16 * pixels).address;
    const inverses = inner.block(4 * pixels).address;
    const seams = inner.record(SeamsRecord, { x, y, width, height, values, constants, inverses });
    const over = { rows: height, cost: width };
    yield* inner.kernels.inpaintBlendStart({ filling, seams }, over);
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      for (const parity of [0, 1]) yield* inner.kernels.inpaintBlendSweep({ seams, parity }, over);
    yield* inner.kernels.inpaintBlendEnd({ filling, seams }, over);
  });
