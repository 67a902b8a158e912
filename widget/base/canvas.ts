/** Canvases over an image: their pixels, their colors, and their position on the page. */
import { FoveolaError } from '../../src/index.ts';

// Paints pixels on a canvas in bands of rows, so that a large image does not need a second full copy.

/**
 * Returns the 2D context of a canvas.
 * @throws {FoveolaError} 'out-of-memory' if the browser cannot allocate another one
 */
export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context) return context;
  throw new FoveolaError(
    'out-of-memory',
    'The browser has no 2D canvas: its memory is full, or a setting or extension forbids it. Close other pages, then open the source again.',
  );
}

/** Number of pixels per band. */
const BAND = 1 << 20;

/**
 * Above this size, an overlay has one pixel for four image pixels. At four bytes per pixel it would otherwise need more
 * memory than everything else.
 */
const LARGE = 1 << 24;

/** Size of the blocks of an image that share one overlay pixel. */
export const sideOf = ({ width, height }: { readonly width: number; readonly height: number }): number =>
  width * height > LARGE ? 2 : 1;

/** Paints a mask in a color (red, green, blue) with its opacity. Everything else is transparent. */
export function paintMask(
  { width, height, data }: { readonly width: number; readonly height: number; readonly data: Uint8Array },
  [r, g, b]: readonly number[],
  canvas: HTMLCanvasElement,
): HTMLCanvasElement {
  const side = sideOf({ width, height });
  const size = { width: Math.ceil(width / side), height: Math.ceil(height / side) };
  const color = (b! << 16) | (g! << 8) | r!;
  const share = Math.floor(255 / (side * side));
  return paintRows(canvas, size, (words, top, rows) => {
    for (let y = side * top; y < Math.min(height, side * (top + rows)); y++) {
      const to = (Math.floor(y / side) - top) * size.width;
      for (let x = 0, i = y * width; x < width; x++, i++) {
        if (!data[i]) continue;
        const at = to + Math.floor(x / side);
        words[at] = color | (((words[at]! >>> 24) + share) << 24);
      }
    }
  });
}

/**
 * `fill` fills `rows` rows, starting at row `top`. Each pixel is a word of red, green, blue and opacity, initially 0.
 */
export function paintRows(
  canvas: HTMLCanvasElement,
  { width, height }: { readonly width: number; readonly height: number },
  fill: (words: Uint32Array, top: number, rows: number) => void,
): HTMLCanvasElement {
  canvas.width = width;
  canvas.height = height;
  const context = context2d(canvas);
  const most = Math.max(1, Math.min(height, Math.floor(BAND / width)));
  const picture = new ImageData(width, most);
  const words = new Uint32Array(picture.data.buffer); // every machine with WebAssembly is little-endian
  for (let top = 0; top < height; top += most) {
    const rows = Math.min(most, height - top);
    if (top) words.fill(0);
    fill(words, top, rows);
    context.putImageData(picture, 0, top, 0, 0, width, rows);
  }
  return canvas;
}

/**
 * Colors of the canvases, from the style sheet. A custom property returns its text unchanged, including
 * `light-dark(...)`. Only a real color property is resolved. So each name has a probe element whose `color` is set to
 * that custom property.
 */
const every = 2000;

export class Palette<N extends string> {
  readonly #probes: [N, CSSStyleDeclaration][];
  readonly #holder = document.createElement('span');
  #colors: Record<N, string> | null = null;
  #until = 0;

  constructor(place: Node, names: readonly N[]) {
    this.#holder.hidden = true;
    // Forced colors would replace each color by the text color. The style sheet also has colors for that mode.
    this.#holder.style.setProperty('forced-color-adjust', 'none');
    place.appendChild(this.#holder);
    this.#probes = names.map((name) => {
      const probe = document.createElement('span');
      probe.style.color = `var(--_${name})`;
      this.#holder.append(probe);
      return [name, getComputedStyle(probe)];
    });
  }

  /**
   * A theme may change at any time. Reading the colors for each frame would be expensive, so they are read every two
   * seconds.
   */
  get colors(): Record<N, string> {
    const now = performance.now();
    if (!this.#colors || now > this.#until) {
      this.#colors = Object.fromEntries(this.#probes.map(([name, style]) => [name, style.color])) as Record<N, string>;
      this.#until = now + every;
    }
    return this.#colors;
  }

  close(): void {
    this.#holder.remove();
  }
}

// Position of an element on the page, as a map from its box to the viewport. It supports ancestors that are rotated,
// scaled, mirrored or zoomed. Also the position of the image in the element's box (object-fit, object-position).
//
// A bounding rectangle does not contain the rotation of a box. Computed styles do not contain its position
// (scrolled, sticky, fixed). So the rotation is computed from the transforms of the element and its ancestors, and
// the position from the bounding rectangle. The ratio of both sizes covers effects that are not in computed styles,
// such as `zoom`. Perspective is not supported.

/** Border box of an element in its own CSS pixels, and the map from it to the viewport. */
interface Placed {
  width: number;
  height: number;
  matrix: DOMMatrix;
}

interface Inner {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * Browsers without `currentCSSZoom` return bounding rectangles in the zoomed element's own pixels (WebKit). Not checked
 * at import, since a server does not define Element.
 */
const ownUnits = () => !('currentCSSZoom' in Element.prototype);

const pixels = (text: string) => parseFloat(text) || 0;

/** Parent of an element in the layout, including slots and shadow roots. */
function around(node: Element): Element | null {
  return node.assignedSlot ?? node.parentElement ?? (node.getRootNode() as Partial<ShadowRoot>).host ?? null;
}

/** Inline boxes are not transformed, even if their style has a transform. Images are. */
const transformable = (node: Element, display: string) =>
  (display !== 'inline' && display !== 'contents') || /^(video|img|canvas)$/.test(node.localName);

function rotation(text: string): string {
  const parts = text.split(' ');
  if (parts.length === 1) return `rotate(${text})`;
  if (parts.length === 2) return `rotate${parts[0]!.toUpperCase()}(${parts[1]})`;
  return `rotate3d(${parts.join(',')})`;
}

/** Rotation and scale that a node applies to its content. Null if it applies none. */
function ownTurn(node: Element): DOMMatrix | null {
  const { transform, rotate, scale, display } = getComputedStyle(node);
  const given = (text: string | undefined) => text !== undefined && text !== '' && text !== 'none';
  if (!given(transform) && !given(rotate) && !given(scale)) return null;
  if (!transformable(node, display)) return null;
  let all = new DOMMatrix();
  if (given(rotate)) all = all.multiply(new DOMMatrix(rotation(rotate)));
  if (given(scale)) all = all.multiply(new DOMMatrix(`scale(${scale.split(' ').slice(0, 2).join(',')})`));
  if (given(transform)) all = all.multiply(new DOMMatrix(transform));
  return new DOMMatrix([all.a, all.b, all.c, all.d, 0, 0]);
}

/** Border box and content box in the element's own pixels. */
export function boxesOf(element: Element): { width: number; height: number; padding: Inner; content: Inner } {
  const style = getComputedStyle(element);
  const edge = (side: string) => ({
    border: pixels(style.getPropertyValue(`border-${side}-width`)),
    padding: pixels(style.getPropertyValue(`padding-${side}`)),
  });
  const [left, right, top, bottom] = [edge('left'), edge('right'), edge('top'), edge('bottom')];
  const across = left.border + left.padding + right.padding + right.border;
  const down = top.border + top.padding + bottom.padding + bottom.border;
  const whole = style.boxSizing === 'border-box';
  const { offsetWidth = 0, offsetHeight = 0 } = element as Partial<HTMLElement>;
  // Computed sizes have fractions. For an element without a computed size (inline), only whole pixels are known.
  const size = (text: string, rest: number, rounded: number) =>
    text.endsWith('px') ? pixels(text) + (whole ? 0 : rest) : rounded;
  const width = size(style.width, across, offsetWidth);
  const height = size(style.height, down, offsetHeight);
  const padding = {
    left: left.border,
    top: top.border,
    width: width - left.border - right.border,
    height: height - top.border - bottom.border,
  };
  const content = {
    left: left.border + left.padding,
    top: top.border + top.padding,
    width: width - across,
    height: height - down,
  };
  return { width, height, padding, content };
}

/** Null while the element does not have a box. */
export function placedOf(element: Element, boxes: { width: number; height: number } = boxesOf(element)): Placed | null {
  const { width, height } = boxes;
  const rect = element.getBoundingClientRect();
  if (!(width > 0) || !(height > 0) || !rect.width || !rect.height) return null;
  let turn: DOMMatrix | null = null;
  let zoom = 1;
  for (let node: Element | null = element; node; node = around(node)) {
    const own = ownTurn(node);
    if (own) turn = turn ? own.multiply(turn) : own;
    if (ownUnits()) zoom *= Number(getComputedStyle(node).zoom) || 1;
  }
  let { a, b, c, d } = turn ?? { a: 1, b: 0, c: 0, d: 1 };
  const across = (zoom * rect.width) / (Math.abs(a) * width + Math.abs(c) * height);
  const down = (zoom * rect.height) / (Math.abs(b) * width + Math.abs(d) * height);
  if (!Number.isFinite(across) || !Number.isFinite(down)) return null;
  [a, b, c, d] = [a * across, b * down, c * across, d * down];
  const left = zoom * rect.left - Math.min(0, a * width) - Math.min(0, c * height);
  const top = zoom * rect.top - Math.min(0, b * width) - Math.min(0, d * height);
  return { width, height, matrix: new DOMMatrix([a, b, c, d, left, top]) };
}

/**
 * Converts a viewport point to an element's own pixels, from the corner of its border box. Null while it does not have
 * a box.
 */
export function localPoint(element: Element, clientX: number, clientY: number): { x: number; y: number } | null {
  const placed = placedOf(element);
  if (!placed) return null;
  const { x, y } = placed.matrix.inverse().transformPoint({ x: clientX, y: clientY });
  return { x, y };
}

/** Resolves one half of a computed object-position: a percentage of the free space, pixels, or a sum of both. */
function along(text: string, room: number): number {
  let sum = 0;
  for (const [, sign, number, unit] of text.matchAll(/([+-]?)\s*([+-]?[\d.]+(?:e[+-]?\d+)?)(%|px)/g))
    sum += (sign === '-' ? -1 : 1) * Number(number) * (unit === '%' ? room / 100 : 1);
  return sum;
}

/** The two halves of a computed position, which may contain calc(). */
const halves = (position: string) => position.match(/[a-z-]+\((?:[^()]|\([^()]*\))*\)|[^\s()]+/g) ?? [];

/** Position of an image of this size in a box, from the computed object-fit and object-position. */
export function place(
  fit: string,
  boxWidth: number,
  boxHeight: number,
  width: number,
  height: number,
  position = '50% 50%',
): { x: number; y: number; left: number; top: number } {
  const across = boxWidth / width;
  const down = boxHeight / height;
  let x = Math.min(across, down);
  if (fit === 'cover') x = Math.max(across, down);
  else if (fit === 'none') x = 1;
  else if (fit === 'scale-down') x = Math.min(1, x);
  const y = fit === 'fill' ? down : x;
  if (fit === 'fill') x = across;
  const [first = '50%', second = '50%'] = halves(position);
  return { x, y, left: along(first, boxWidth - x * width), top: along(second, boxHeight - y * height) };
}
