/** Faces that were lost a moment ago: where faces are hidden they stay so, since it may be the tracker that lost them. */
import type { FaceResult } from '../../src/index.ts';
import type { ElementParts } from '../parts/element-parts.ts';

/** Frames for which a face that was lost stays hidden. */
const HIDDEN_FOR = 15;

type Faces = FaceResult['faces'];

export class GoneFaces {
  #last: Faces = [];
  #gone: { face: Faces[number]; frames: number }[] = [];

  constructor(parts: ElementParts<FaceResult>) {
    parts.host.add(this);
  }

  get faces(): Faces {
    return this.#gone.map(({ face }) => face);
  }

  present({ faces }: FaceResult): void {
    const now = new Set(faces.map(({ id }) => id));
    const left = this.#last.filter(({ id }) => !now.has(id));
    this.#gone = [...this.#gone, ...left.map((face) => ({ face, frames: HIDDEN_FOR }))]
      .map(({ face, frames }) => ({ face, frames: frames - 1 }))
      .filter(({ face, frames }) => frames > 0 && !now.has(face.id));
    this.#last = faces;
  }

  forgetFrame(): void {
    this.#last = [];
    this.#gone = [];
  }

  left(): void {
    this.forgetFrame();
  }
}
