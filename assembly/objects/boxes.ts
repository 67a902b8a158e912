// Boxes in pixels. Every record that represents a box begins with these four fields, so that it can be read as one.

@unmanaged
export class Box {
  x: f64;
  y: f64;
  width: f64;
  height: f64;
}

/** Intersection over union. */
export function overlapOf(
  ax: f64,
  ay: f64,
  aWidth: f64,
  aHeight: f64,
  bx: f64,
  by: f64,
  bWidth: f64,
  bHeight: f64,
): f64 {
  const width = min(ax + aWidth, bx + bWidth) - max(ax, bx);
  const height = min(ay + aHeight, by + bHeight) - max(ay, by);
  if (!(width > 0 && height > 0)) return 0;
  const both = width * height;
  return both / (aWidth * aHeight + bWidth * bHeight - both);
}

export function overlap(a: Box, b: Box): f64 {
  return overlapOf(a.x, a.y, a.width, a.height, b.x, b.y, b.width, b.height);
}

export function copyBox(from: Box, to: Box): void {
  to.x = from.x;
  to.y = from.y;
  to.width = from.width;
  to.height = from.height;
}
