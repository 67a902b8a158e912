/** The attribute `frame-height`: tells the page around a frame how high the document in the frame is. */
import { FoveolaError } from '../../../src/index.ts';
import type { PropertyValues } from 'lit';
import type { Host, Part } from '../../base/host.ts';
import type { AnyResult } from '../../base/kind.ts';

/**
 * The origin that may read the height. Only this one: not '*'.
 * @throws {FoveolaError} 'invalid-argument'
 */
export function originOf(text: string, own: string): string {
  if (text === '') return own;
  const origin = URL.canParse(text) ? new URL(text).origin : 'null';
  if (origin !== 'null') return origin;
  throw new FoveolaError(
    'invalid-argument',
    `frame-height must be the origin of the page around the frame, such as https://portal.example, not ${text}.`,
  );
}

/** Lengths by the height of the window would grow with the frame. */
const style = ':host .stage, :host .panel { max-height: var(--foveola-max-height, none); }';

export class FrameHeight<R extends AnyResult> implements Part<R> {
  readonly #host: Host<R>;
  readonly #failed: (error: FoveolaError | null) => void;
  #observer: ResizeObserver | null = null;
  /** The origin that the observer serves. */
  #served: string | null = null;

  /** `failed`: shows a problem with the attribute. Null: it is solved. */
  constructor(host: Host<R>, failed: (error: FoveolaError | null) => void) {
    this.#host = host;
    this.#failed = failed;
    host.add(this);
    this.#serve();
  }

  updated(changed: PropertyValues): void {
    if (changed.has('frameHeight')) this.#serve();
  }

  hostConnected(): void {
    this.#serve();
  }

  left(): void {
    this.#observer?.disconnect();
    this.#observer = this.#served = null;
  }

  #serve(): void {
    const { frameHeight, ownerDocument } = this.#host.element;
    const { defaultView: view, documentElement: root } = ownerDocument;
    if (frameHeight === this.#served) return;
    this.left();
    if (frameHeight === null || !view || view.parent === view) return;
    try {
      const origin = originOf(frameHeight, view.location.origin);
      let told = 0;
      this.#observer = new view.ResizeObserver(() => {
        const height = Math.ceil(root.getBoundingClientRect().height);
        if (height !== told) view.parent.postMessage({ type: 'foveola-height', height: (told = height) }, origin);
      });
      this.#observer.observe(root);
      this.#host.addStyle(style);
      this.#served = frameHeight;
    } catch (error) {
      this.#failed(error as FoveolaError);
    }
  }
}
