/**
 * Measures how colored an image is: the mean distance of its colors from gray over a sparse grid, in levels. Infrared
 * cameras have 0 to 3 (chroma noise of compression), visible light 10 and more. Capabilities that need infrared light
 * use it for a warning.
 */

/** Samples per side of the grid. */
const GRID = 24;

/** Mean difference between the largest and smallest channel of RGBA samples in rows of `stride` bytes. */
export function chromaOfRgba(data: Uint8Array, width: number, height: number, stride = 4 * width): number {
  return meanOf(width, height, (x, y) => {
    const at = y * stride + 4 * x;
    const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!];
    return Math.max(r, g, b) - Math.min(r, g, b);
  });
}

/**
 * Mean distance from gray for the second and third plane of YUV samples (128 is gray), with a function that reads one
 * sample pair.
 */
export function chromaOfYuv(
  width: number,
  height: number,
  read: (x: number, y: number) => [u: number, v: number],
): number {
  return meanOf(width, height, (x, y) => {
    const [u, v] = read(x, y);
    // R - Y = 1.40 (V - 128), B - Y = 1.77 (U - 128)
    return Math.max(1.4 * Math.abs(v - 128), 1.77 * Math.abs(u - 128));
  });
}

function meanOf(width: number, height: number, of: (x: number, y: number) => number): number {
  let sum = 0;
  const across = Math.min(GRID, width);
  const down = Math.min(GRID, height);
  for (let j = 0; j < down; j++)
    for (let i = 0; i < across; i++)
      sum += of(Math.floor(((i + 0.5) * width) / across), Math.floor(((j + 0.5) * height) / down));
  return sum / (across * down);
}
