/**
 * Calls whose arguments the caller changes before the answer: everything that a call takes, by kind. Used in Node and in
 * browsers, on every home of the engine.
 */
import type { Engine } from '../../src/api.ts';
import type { GrayImage, Source } from '../../src/results/types.ts';

type Args = Record<string, unknown>;
/** `later`: a source that has to be waited for, so that the call is posted late. */
export type Later = (image: GrayImage) => Source;

export interface SnapshotCase {
  readonly name: string;
  args(): Args;
  call(engine: Engine, args: Args): Promise<unknown>;
}

const [width, height] = [64, 48];

/** A dark disc on noise that follows from the place. */
export const scene = (cx = 30, cy = 22): GrayImage => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return (Math.hypot(x - cx, y - cy) < 11 ? 30 : 150) + ((x * 7919 + y * 104729) % 23);
  }),
});
const rgba = (): ImageData => {
  const { data } = scene();
  const pixels = Uint8ClampedArray.from({ length: 4 * data.length }, (_, i) => (i % 4 === 3 ? 255 : data[i >> 2]!));
  return { width, height, data: pixels, colorSpace: 'srgb' } as ImageData;
};
const hole = (): GrayImage => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => (i % width < 6 && i < 6 * width ? 255 : 0)),
});
const image = (args: Args, name = 'image') => args[name] as GrayImage;

async function tracked<T extends { dispose(): Promise<void> }>(tracker: T, run: (tracker: T) => Promise<unknown>) {
  const answer = await run(tracker);
  await tracker.dispose();
  return answer;
}

export const snapshotCases: readonly SnapshotCase[] = [
  { name: 'gray', args: () => ({ image: scene() }), call: (engine, args) => engine.gaussian(image(args)) },
  { name: 'RGBA', args: () => ({ image: rgba() }), call: (engine, args) => engine.gaussian(image(args)) },
  {
    name: 'two pictures',
    args: () => ({ image: scene(), next: scene(32, 23) }),
    call: (engine, args) => engine.opticalFlow(image(args), image(args, 'next'), { levels: 1, iterations: 2 }),
  },
  {
    name: 'points',
    args: () => ({ image: scene(), next: scene(32, 23), points: Float32Array.of(19, 22, 30, 11) }),
    call: (engine, args) => engine.trackPoints(image(args), image(args, 'next'), args.points as Float32Array),
  },
  {
    name: 'a mask',
    args: () => ({ image: rgba(), mask: hole() }),
    call: (engine, args) => engine.inpaint(image(args), image(args, 'mask')),
  },
  {
    name: 'lists among the options',
    args: () => ({ image: scene(), options: { sigmas: [1, 2], c: 0.1 } }),
    call: (engine, args) => engine.vesselness(image(args), args.options as object),
  },
  {
    name: 'a picture among the options',
    args: () => ({ image: scene(), mask: hole(), options: { byHand: hole() } }),
    call: (engine, args) => engine.vesselMeasures(image(args), image(args, 'mask'), args.options as object),
  },
  {
    name: 'a chain',
    args: () => ({ image: scene(), options: { size: 5, sigma: 1.5 } }),
    call(engine, args) {
      const chain = engine.chain(image(args)).gaussian(args.options as object);
      return chain.canny().result();
    },
  },
  {
    name: "a pupil tracker's frames and region",
    args: () => ({ image: scene(), options: { roi: { x: 8, y: 4, width: 50, height: 40 }, method: 'starburst' } }),
    call: (engine, args) =>
      tracked(engine.createPupilTracker(args.options as object), (tracker) =>
        tracker.process(image(args), { timestamp: 5 }),
      ),
  },
  {
    name: "a tracker's new parameters",
    args: () => ({ image: scene(), options: { roi: { x: 8, y: 4, width: 50, height: 40 } } }),
    call: (engine, args) =>
      tracked(engine.createPupilTracker(), (tracker) => {
        void tracker.setParameters(args.options as object);
        return tracker.process(image(args), { timestamp: 5 });
      }),
  },
  {
    name: "an object tracker's boxes",
    args: () => ({ image: scene(), next: scene(32, 23), box: { x: 16, y: 8, width: 28, height: 28 } }),
    call: (engine, args) =>
      tracked(engine.createObjectTracker({ variant: 'paper' }), async (tracker) => {
        void tracker.start(image(args), args.box as never);
        return (await tracker.process(image(args, 'next'), { timestamp: 5 })).targets;
      }),
  },
];

/** Changes all that is in it, as a caller may who reuses his arrays. */
export function spoil(value: unknown): void {
  if (ArrayBuffer.isView(value)) return void (value as Uint8Array).fill(0);
  if (typeof value !== 'object' || value === null) return;
  const record = value as Record<string, unknown>;
  for (const key of Object.keys(record))
    if (typeof record[key] === 'number') record[key] = 1;
    else if (typeof record[key] === 'object') spoil(record[key]);
}

/** What the call gives, and what it gives where its arguments are spoiled as soon as it has returned. */
export async function bothWays(engine: Engine, { args, call }: SnapshotCase): Promise<[unknown, unknown]> {
  const expected = await call(engine, args());
  const given = args();
  const running = call(engine, given);
  spoil(given);
  return [expected, await running];
}
