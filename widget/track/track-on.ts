/**
 * Tracks a target on from a box drawn by hand, in both directions, until it meets the recorded track. Loaded with
 * tools.js.
 */
import type {
  Engine,
  FoveolaError,
  frames as framesOf,
  ObjectTracker,
  Source,
  TrackedObject,
} from '../../src/index.ts';
import { overlap } from '../../src/internal.ts';
import type { Settings } from '../base/kind.ts';

type Box = NonNullable<TrackedObject['box']>;
/** State of the target in a frame. */
export type Tracked = Omit<TrackedObject, 'id'>;

/** Bytes of frames that are kept for tracking backward. Further frames are decoded again. */
const KEPT = 1 << 27;

export interface TrackOnGiven {
  readonly engine: Pick<Engine, 'createObjectTracker'>;
  readonly parameters: Settings;
  /** The learned model of the target. */
  readonly model: Uint8Array;
  /** `frames` of the page, which loads the frame reader. */
  readonly frames: typeof framesOf;
  readonly source: Blob | string;
  readonly signal: AbortSignal;
  /** Recorded boxes by the number of their frame. */
  readonly recorded: ReadonlyMap<number, Box | null>;
  /** Frame of the box. Frames up to `from` and from `to` on belong to other boxes drawn by hand. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly box: Box;
  asOurs(error: unknown): FoveolaError;
}

interface KeptFrame {
  readonly frame: number;
  readonly bytes: number;
  open(): VideoFrame | ImageBitmap;
}

const overlapOf = (a: Box | null | undefined, b: Box | null): number => (a && b ? overlap(a, b) : 0);

/** A copy, since a decoder stops while many of its frames are in use. */
async function keep(frame: number, picture: VideoFrame | ImageBitmap): Promise<KeptFrame> {
  if (!(picture instanceof VideoFrame) || !picture.format) {
    const bitmap = await createImageBitmap(picture);
    return { frame, bytes: 4 * bitmap.width * bitmap.height, open: () => bitmap };
  }
  const { format, displayWidth, displayHeight, colorSpace, timestamp, visibleRect } = picture;
  const data = new Uint8Array(picture.allocationSize());
  const layout = await picture.copyTo(data);
  const size = { codedWidth: visibleRect!.width, codedHeight: visibleRect!.height, displayWidth, displayHeight };
  const { rotation, flip } = picture as { rotation?: number; flip?: boolean };
  const init = { format, timestamp, layout, colorSpace: colorSpace.toJSON(), ...size, rotation, flip };
  return { frame, bytes: data.length, open: () => new VideoFrame(data, init as VideoFrameBufferInit) };
}

class Following {
  readonly #tracker: ObjectTracker;
  readonly #given: TrackOnGiven;
  #id = 0;

  constructor(given: TrackOnGiven) {
    this.#given = given;
    this.#tracker = given.engine.createObjectTracker(given.parameters);
  }

  /** The frame with the box. */
  async begin(picture: Source): Promise<void> {
    await this.#tracker.process(picture);
    this.#id = await this.#tracker.importModel(this.#given.model);
    await this.#tracker.correct(this.#id, this.#given.box);
  }

  async next(picture: Source): Promise<Tracked> {
    const { targets } = await this.#tracker.process(picture);
    const { id: _, ...state } = targets.find(({ id }) => id === this.#id)!;
    return { ...state, corrected: 'track' };
  }

  dispose(): Promise<void> {
    return this.#tracker.dispose();
  }
}

/**
 * Frames before the box that change. Those up to the meeting point or, if the tracks do not meet, up to the first frame
 * in which the target was found: earlier rows may be right.
 */
export function changedBefore(tracked: ReadonlyMap<number, Tracked>, met: boolean): Map<number, Tracked> {
  const frames = [...tracked.keys()].sort((a, b) => a - b);
  const first = met ? 0 : frames.findIndex((frame) => tracked.get(frame)!.box !== null);
  return new Map((first < 0 ? [] : frames.slice(first)).map((frame) => [frame, tracked.get(frame)!]));
}

class TrackOn {
  readonly #given: TrackOnGiven;
  readonly #forward: Following;
  readonly #backward: Following;
  /** Overlap at which two tracks meet: half of the correction is no longer needed. */
  readonly #same: number;

  constructor(given: TrackOnGiven) {
    this.#given = given;
    this.#forward = new Following(given);
    this.#backward = new Following(given);
    this.#same = (1 + overlapOf(given.recorded.get(given.at), given.box)) / 2;
  }

  #meets(frame: number, { box }: Tracked): boolean {
    return overlapOf(this.#given.recorded.get(frame), box) >= this.#same;
  }

  async run(): Promise<Map<number, Tracked>> {
    const { at, box } = this.#given;
    try {
      const changed = new Map<number, Tracked>([
        [at, { box, confidence: 1, learning: true, by: 'none', corrected: 'box' }],
      ]);
      for (const [frame, state] of await this.#after()) changed.set(frame, state);
      for (const [frame, state] of await this.#before()) changed.set(frame, state);
      return changed;
    } finally {
      await Promise.all([this.#forward.dispose(), this.#backward.dispose()]);
    }
  }

  async *#read(until: number): AsyncGenerator<{ frame: number; picture: VideoFrame | ImageBitmap }> {
    const { frames, source, signal } = this.#given;
    let frame = 0;
    for await (const one of frames(source, { everyFrame: true, signal })) {
      if (frame >= until) return;
      yield { frame: frame++, picture: one.frame };
    }
  }

  /** Rows after the box come from a track that is known to be wrong, so all of them change. */
  async #after(): Promise<Map<number, Tracked>> {
    const { at, to } = this.#given;
    const changed = new Map<number, Tracked>();
    for await (const { frame, picture } of this.#read(to)) {
      if (frame === at) {
        const again = picture instanceof VideoFrame ? picture.clone() : picture;
        await this.#forward.begin(picture);
        await this.#backward.begin(again).finally(() => again !== picture && again.close());
      }
      if (frame <= at) continue;
      const state = await this.#forward.next(picture);
      if (this.#meets(frame, state)) break;
      changed.set(frame, state);
    }
    return changed;
  }

  async #before(): Promise<Map<number, Tracked>> {
    const { at, from } = this.#given;
    const tracked = new Map<number, Tracked>();
    for (let until = at; until > from + 1;) {
      const kept = await this.#last(until);
      for (const { frame, open } of kept.reverse()) {
        const picture = open();
        const state = await this.#backward.next(picture).finally(() => picture.close());
        if (this.#meets(frame, state)) return changedBefore(tracked, true);
        tracked.set(frame, state);
        until = frame;
      }
      if (!kept.length) break;
    }
    return changedBefore(tracked, false);
  }

  /** The last frames before `until`, as many as fit into memory. */
  async #last(until: number): Promise<KeptFrame[]> {
    const kept: KeptFrame[] = [];
    let bytes = 0;
    for await (const { frame, picture } of this.#read(until)) {
      if (frame <= this.#given.from) continue;
      const one = await keep(frame, picture);
      kept.push(one);
      for (bytes += one.bytes; bytes > KEPT && kept.length > 1;) bytes -= kept.shift()!.bytes;
    }
    return kept;
  }
}

/** Resolves with the frames that change, and the state of the target in each. */
export async function trackOn(given: TrackOnGiven): Promise<Map<number, Tracked>> {
  try {
    return await new TrackOn(given).run();
  } catch (error) {
    throw given.asOurs(error);
  }
}
