/** The eyes of every face: an event with each frame, and as live pictures for another element. */
import { type FaceResult, FoveolaError, shown } from '../../src/index.ts';
import type { ElementParts } from '../parts/element-parts.ts';
import { viewOf } from '../parts/feed.ts';
import { eyeBox, EyeStream, type EyeBox, type EyeSide, type EyeView } from './eye-crops.ts';

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
      throw new FoveolaError('invalid-argument', `eyeStream: the side is 'left' or 'right', not ${shown(side)}.`);
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
