/** Exported models of targets: imported after their bytes were changed, and used on a frame. */
import { checkZones, guardedEngine } from './guards.ts';
import type { Bytes } from './mutation.ts';
import { repairedObject } from './repair.ts';
import type { Reader } from './targets.ts';

const [width, height] = [64, 48];

/** What a target may learn at least: the same fields, and shorter lists. */
const FEW = { positives: 2, negatives: 2, firstWarps: 0, warps: 0 };

/** A dark square on noise. */
function frame(left: number) {
  const data = Uint8Array.from({ length: width * height }, (_, i) => 150 + ((i * 7919) % 61));
  for (let y = 14; y < 34; y++) for (let x = left; x < left + 20; x++) data[y * width + x] = 20 + ((x * y) % 40);
  return { width, height, data };
}

export async function objectModels(root: string): Promise<Reader> {
  const engine = await guardedEngine(root);
  const exported = async (options: Parameters<typeof engine.createObjectTracker>[0] = {}): Promise<Bytes> => {
    const tracker = engine.createObjectTracker(options);
    await tracker.start(frame(20), { x: 20, y: 14, width: 20, height: 20 });
    await tracker.process(frame(21));
    const bytes = Uint8Array.from(await tracker.exportModel(1));
    await tracker.dispose();
    return bytes;
  };
  const later = frame(24);
  return {
    // Most of the time of a trial is the checksum of its bytes: 300 kB with filters, 17 kB without, 6 kB where little was learned.
    async files() {
      const usual = await exported({ variant: 'paper' });
      const small = await exported({ variant: 'paper', ...FEW });
      return [await exported(), ...Array<Bytes>(4).fill(usual), ...Array<Bytes>(15).fill(small)];
    },
    async read(bytes) {
      const tracker = engine.createObjectTracker();
      try {
        await tracker.importModel(bytes);
        await tracker.process(later);
      } finally {
        await tracker.dispose();
        checkZones();
      }
    },
    repair: repairedObject,
  };
}
