/** Exported models of targets: imported after their bytes were changed, and used on a frame. */
import { checkZones, guardedEngine } from './guards.ts';
import type { Bytes } from './mutation.ts';
import { repairedObject } from './repair.ts';
import type { Reader } from './targets.ts';

const [width, height] = [64, 48];

/** A dark square on noise. */
function frame(left: number) {
  const data = Uint8Array.from({ length: width * height }, (_, i) => 150 + ((i * 7919) % 61));
  for (let y = 14; y < 34; y++) for (let x = left; x < left + 20; x++) data[y * width + x] = 20 + ((x * y) % 40);
  return { width, height, data };
}

export async function objectModels(root: string): Promise<Reader> {
  const engine = await guardedEngine(root);
  const exported = async (variant: 'default' | 'paper'): Promise<Bytes> => {
    const tracker = engine.createObjectTracker(variant === 'paper' ? { variant } : {});
    await tracker.start(frame(20), { x: 20, y: 14, width: 20, height: 20 });
    await tracker.process(frame(21));
    const bytes = Uint8Array.from(await tracker.exportModel(1));
    await tracker.dispose();
    return bytes;
  };
  return {
    // Most of the time of a trial is the checksum of its bytes, and a model with filters has twenty times as many.
    async files() {
      const small = await exported('paper');
      return [await exported('default'), small, small, small];
    },
    async read(bytes) {
      const tracker = engine.createObjectTracker();
      try {
        await tracker.importModel(bytes);
        await tracker.process(frame(24));
      } finally {
        await tracker.dispose();
        checkZones();
      }
    },
    repair: repairedObject,
  };
}
