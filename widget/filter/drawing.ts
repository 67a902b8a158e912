/** Draws the last filter result on the overlay, and exports it as a separate image. */
import type { NumberFormat } from '../strings/index.ts';
import { drawLines, FlowDrawing, inPicture, paintGray, type Frame } from './draw-results.ts';
import type { FilterOperation, FilterResult } from './tracker.ts';
import type { Box, Colors, View } from '../base/overlay.ts';
import { paintMask, sideOf } from '../base/canvas.ts';
import type { Retouch } from './retouch.ts';

export interface FilterView extends Frame {
  readonly operation: FilterOperation;
  /** Display of flow, and the unit of its key. */
  readonly colors: boolean;
  readonly arrows: boolean;
  readonly unit: string;
  /** Number format. */
  readonly number: NumberFormat;
}

const edgeColor = [67, 240, 181];

export class FilterDrawing {
  readonly #edges = document.createElement('canvas');
  readonly #image = document.createElement('canvas');
  readonly #flow = new FlowDrawing();
  #last: FilterResult | null = null;

  clear(): void {
    this.#last = null;
    this.#flow.clear();
  }

  set(result: FilterResult): void {
    if (result === this.#last) return;
    this.#last = result;
    if (result.edges) paintMask(result.edges, edgeColor, this.#edges);
    if (result.image) paintGray(result.image, this.#image, sideOf(result.image));
    if (result.flow) this.#flow.set(result.flow);
  }

  /** Edges in white on black, flow as colors, or a filtered image. Null if the result is not an image. */
  resultOf(operation: FilterOperation): HTMLCanvasElement | null {
    if (operation === 'flow') return this.#flow.picture;
    const last = this.#last;
    const levels = last?.operation === operation ? (last.edges ?? last.image) : null;
    return levels && paintGray(levels);
  }

  draw(
    context: CanvasRenderingContext2D,
    view: View,
    colors: Colors,
    how: FilterView,
    retouch: Retouch | null,
  ): Box | null {
    const { operation } = how;
    if (operation === 'flow') return this.#flow.draw(context, view, colors, how);
    return inPicture(context, view, how, (unit) => {
      if (operation === 'canny' && this.#last?.edges) context.drawImage(this.#edges, 0, 0, how.width, how.height);
      if (operation === 'hough') drawLines(context, this.#last?.lines ?? [], colors, unit);
      const filtered = this.#last?.operation === operation && this.#last.image;
      if (!filtered && (operation !== 'inpaint' || !retouch)) return;
      context.imageSmoothingEnabled = true; // as the browser draws the image itself
      if (filtered) context.drawImage(this.#image, 0, 0, how.width, how.height);
      if (operation !== 'inpaint' || !retouch) return;
      if (retouch.shown) context.drawImage(retouch.shown, 0, 0);
      context.drawImage(retouch.tinted, 0, 0);
    });
  }
}
