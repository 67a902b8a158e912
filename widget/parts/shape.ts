/** Boxes and discs that a user draws on a picture: their geometry, in source pixels, 0 being the first pixel's outer edge. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Limits {
  /** Size of the picture. */
  width: number;
  height: number;
  /** Smallest side. */
  smallest: number;
  /** Discs keep width and height equal. */
  disc: boolean;
}

const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high));

/** The box moved, but not out of the picture. */
export const moved = (box: Box, dx: number, dy: number, { width, height }: Limits): Box => ({
  ...box,
  x: within(box.x + dx, 0, width - box.width),
  y: within(box.y + dy, 0, height - box.height),
});

/** A disc of radius `r` about the box's center, no larger than fits there. */
export function discAbout(box: Box, r: number, { width, height, smallest }: Limits): Box {
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  const radius = within(r, smallest / 2, Math.min(x, y, width - x, height - y));
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
}

/** The sides that `handle` names (n, e, s, w in any combination) moved. */
export function resized(box: Box, handle: string, dx: number, dy: number, limits: Limits): Box {
  const { width, height, smallest } = limits;
  if (limits.disc) {
    const across = (handle.includes('e') ? dx : 0) - (handle.includes('w') ? dx : 0);
    const down = (handle.includes('s') ? dy : 0) - (handle.includes('n') ? dy : 0);
    return discAbout(box, box.width / 2 + (Math.abs(across) > Math.abs(down) ? across : down), limits);
  }
  let [left, top, right, bottom] = [box.x, box.y, box.x + box.width, box.y + box.height];
  if (handle.includes('w')) left = within(left + dx, 0, right - smallest);
  if (handle.includes('e')) right = within(right + dx, left + smallest, width);
  if (handle.includes('n')) top = within(top + dy, 0, bottom - smallest);
  if (handle.includes('s')) bottom = within(bottom + dy, top + smallest, height);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** A new shape drawn from one point to another: a box between them, a disc about the first. */
export function drawn(from: { x: number; y: number }, to: { x: number; y: number }, limits: Limits): Box {
  const inside = (p: { x: number; y: number }) => ({
    x: within(p.x, 0, limits.width),
    y: within(p.y, 0, limits.height),
  });
  const a = inside(from);
  const b = inside(to);
  if (limits.disc) return discAbout({ ...a, width: 0, height: 0 }, Math.hypot(b.x - a.x, b.y - a.y), limits);
  const { smallest, width, height } = limits;
  const w = Math.max(smallest, Math.abs(b.x - a.x));
  const h = Math.max(smallest, Math.abs(b.y - a.y));
  return {
    x: within(Math.min(a.x, b.x), 0, width - w),
    y: within(Math.min(a.y, b.y), 0, height - h),
    width: w,
    height: h,
  };
}

export const rounded = (box: Box): Box => {
  const x = Math.round(box.x);
  const y = Math.round(box.y);
  return { x, y, width: Math.round(box.x + box.width) - x, height: Math.round(box.y + box.height) - y };
};

/** From an attribute like `120 80 320 240`: x, y, width and height. Null where there is none. */
export const boxFrom = (text: string | null): Box | null => {
  if (text === null) return null;
  const [x = NaN, y = NaN, width = NaN, height = NaN] = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return { x, y, width, height };
};
