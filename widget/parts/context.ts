import { FoveolaError } from '../../src/index.ts';

/**
 * The 2D context of a canvas.
 * @throws {FoveolaError} 'out-of-memory' where the browser has none left to give
 */
export function context2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (context) return context;
  throw new FoveolaError(
    'out-of-memory',
    'The browser gives no 2D context to draw with: its memory for canvases is used up, or a setting or an extension forbids them. Close other pages, then open the source again.',
  );
}
