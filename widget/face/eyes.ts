/** The eyes of every face: an event for each frame, and live streams for another element. */
import { type Face, type Laterality, type FaceResult, FoveolaError } from '../../src/index.ts';
import { eyeOf, shown } from '../../src/internal.ts';
import type { ElementParts } from '../base/element-parts.ts';
import { viewOf } from '../base/feed.ts';

// Crops of the eyes of a face with landmarks: their position in the frame, and a stream that another element can use as
// its source. The eye stays in the middle. The crop is not rotated.

export type EyeSide = 'left' | 'right';
/** Orientation in which the image shows the person. */
export type EyeView = 'facing' | 'mirrored' | 'unknown';

export interface EyeBox {
  /** Side in the image. */
  side: EyeSide;
  /** The person's left or right eye. */
  eye: Laterality;
  face: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** First of the six points of each eye, of 68 landmarks. The eye at the left of the image is the person's right eye. */
const eyePoints: Readonly<Record<EyeSide, number>> = { left: 36, right: 42 };
/** Width of the crop in eye widths, and its height relative to its width. */
const MARGIN = 2;
const ASPECT = 3 / 4;

/** The person's eye at the left (0) or right (1) of the image. */
export const eyeOfSide = (index: number, view: EyeView): Laterality => eyeOf(index, { eyes: 2, view, eye: 'unknown' });

/** Returns null if the face does not have 68 points. */
export function eyeBox({ id, landmarks }: Face, side: EyeSide, view: EyeView): EyeBox | null {
  if (landmarks?.length !== 136) return null;
  const first = 2 * eyePoints[side];
  let [x, y] = [0, 0];
  for (let i = first; i < first + 12; i += 2) {
    x += landmarks[i]! / 6;
    y += landmarks[i + 1]! / 6;
  }
  const width =
    MARGIN * Math.hypot(landmarks[first]! - landmarks[first + 6]!, landmarks[first + 1]! - landmarks[first + 7]!);
  const eye = eyeOfSide(side === 'left' ? 0 : 1, view);
  return { side, eye, face: id, x: x - width / 2, y: y - (width * ASPECT) / 2, width, height: width * ASPECT };
}

/** A canvas that shows one eye, and its stream. */
class EyeStream {
  readonly stream: MediaStream;
  readonly #canvas = document.createElement('canvas');
  readonly #context: CanvasRenderingContext2D;

  constructor(width: number) {
    this.#canvas.width = width;
    this.#canvas.height = Math.round(width * ASPECT);
    this.#context = this.#canvas.getContext('2d', { alpha: false })!;
    this.stream = this.#canvas.captureStream();
  }

  draw(picture: CanvasImageSource, { x, y, width, height }: EyeBox): void {
    this.#context.drawImage(picture, x, y, width, height, 0, 0, this.#canvas.width, this.#canvas.height);
  }

  close(): void {
    for (const track of this.stream.getTracks()) track.stop();
  }
}

const sides: readonly EyeSide[] = ['left', 'right'];

export class EyesController {
  readonly #parts: ElementParts<FaceResult>;
  readonly #element: { readonly view: EyeView | null };
  readonly #streams = new Map<EyeSide, EyeStream>();

  constructor(parts: ElementParts<FaceResult>, element: { readonly view: EyeView | null }) {
    this.#parts = parts;
    this.#element = element;
    parts.host.add(this);
  }

  stream(side: EyeSide, width: number): MediaStream {
    if (!sides.includes(side))
      throw new FoveolaError('invalid-argument', `eyeStream: the eye must be 'left' or 'right', not ${shown(side)}.`);
    if (!(width >= 32 && width <= 2048))
      throw new FoveolaError('invalid-argument', `eyeStream: width must be from 32 to 2048, not ${shown(width)}.`);
    let stream = this.#streams.get(side);
    if (!stream) this.#streams.set(side, (stream = new EyeStream(Math.round(width))));
    return stream.stream;
  }

  present({ timestamp, faces }: FaceResult): void {
    const view = this.#element.view ?? viewOf(this.#parts.feed);
    const eyes: EyeBox[] = faces.flatMap((face) =>
      sides.map((side) => eyeBox(face, side, view)).filter((eye) => eye !== null),
    );
    if (!eyes.length) return;
    const picture = this.#parts.picture.shown;
    if (picture)
      for (const [side, stream] of this.#streams) {
        const eye = eyes.find((found) => found.side === side);
        if (eye) stream.draw(picture, eye);
      }
    this.#parts.host.emit('eyes', { timestamp, eyes }, false);
  }

  left(): void {
    for (const stream of this.#streams.values()) stream.close();
    this.#streams.clear();
  }
}
