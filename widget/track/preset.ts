/** The target in the attribute `box`: which source it belongs to, and when it is added. */
import type { PropertyValues } from 'lit';
import type { ObjectResult } from '../../src/index.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { Box } from '../tools/shape.ts';
import type { TargetsController } from './targets.ts';

export class PresetController {
  readonly #parts: ElementParts<ObjectResult>;
  readonly #own: { readonly box: Box | null };
  readonly #targets: TargetsController;
  /** The open source, and the source for which `box` was set. Null: the next one. */
  #source: unknown = null;
  #boxSource: unknown = null;
  /** The box already applied to the open source. */
  #taken = 'null';
  #begun = false;

  constructor(parts: ElementParts<ObjectResult>, own: { readonly box: Box | null }, targets: TargetsController) {
    this.#parts = parts;
    this.#own = own;
    this.#targets = targets;
    parts.host.add(this);
  }

  /** Returns `box` if it was set for the open source and no frame has been processed yet. */
  get pending(): Box | null {
    return this.#begun ? null : this.#box;
  }

  get #box(): Box | null {
    return this.#boxSource === this.#source ? this.#own.box : null;
  }

  sourceChosen(source: unknown): void {
    this.#source = source;
    this.#boxSource ??= source;
  }

  present(): void {
    if (this.#begun || this.#parts.analysis.running) return;
    this.#begun = true;
    this.#add();
  }

  updated(changed: PropertyValues): void {
    if (!changed.has('box')) return;
    this.#boxSource = this.#source;
    if (this.#begun && !this.#parts.analysis.running) this.#add();
  }

  closing(): void {
    this.#source = null;
    this.#taken = 'null';
    this.#begun = false;
  }

  left(): void {
    this.closing();
  }

  #add(): void {
    const box = this.#box;
    // Frameworks set the same box on every render.
    if (JSON.stringify(box) === this.#taken) return;
    this.#taken = JSON.stringify(box);
    if (box) this.#targets.attempt(() => this.#targets.add(box));
  }
}
