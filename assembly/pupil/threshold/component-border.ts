// The border of a dark component (paper 000, section 2.2): background pixels with one of their eight neighbors in it.
// It reads only the component's runs. They are painted into a mask of its box. The border is one step of dilation minus
// the mask, sixteen pixels at a time.
import { Component } from '../../image/components';
import { Value } from '../../runtime/wasm/value';
import { Search } from '../search/search';

/**
 * The component's first column in the mask. One more row and column on every side can be border, and one more is read.
 */
const INDENT: i32 = 16;

/** An image in runs (../../image/components) with numbered components, and the position of its origin in the frame. */
@unmanaged
export class ComponentRuns {
  runs: usize;
  stride: i32;
  counts: usize;
  parents: usize;
  width: i32;
  height: i32;
  originX: i32;
  originY: i32;
  mask: usize; // componentMask(width, height) bytes
}

/** Bytes of the mask of any component of an image of this size. */
export function componentMask(width: i32, height: i32): Value {
  return (width + 48) * (height + 4);
}

/**
 * Writes border points of component `label` (final number, statistics in `component`) to s.px, s.py, in frame
 * coordinates. Returns their number, or -1 if it is more than `capacity`.
 */
export function componentOutline(search: usize, image: usize, component: usize, label: u32, capacity: i32): Value {
  const c = changetype<Component>(component);
  const labeled = changetype<ComponentRuns>(image);
  const runs = labeled.runs;
  const stride = labeled.stride;
  const counts = labeled.counts;
  const parents = labeled.parents;
  const width = labeled.width;
  const height = labeled.height;
  const originX = labeled.originX;
  const originY = labeled.originY;
  const mask = labeled.mask;
  const left = <i32>c.left;
  const top = <i32>c.top;
  const right = <i32>c.right;
  const bottom = <i32>c.bottom;
  const s = changetype<Search>(search);
  const pitch = (right - left + 48) & ~15;
  memory.fill(mask, 0, <usize>(pitch * (bottom - top + 5)));
  for (let y = top; y <= bottom; y++) {
    const row = runs + <usize>(y * stride);
    const end = row + ((<usize>load<u32>(counts + ((<usize>y) << 2))) << 3);
    const to = mask + <usize>((y - top + 2) * pitch + INDENT - left);
    for (let run = row; run < end; run += 8) {
      if (load<u32>(parents + ((<usize>load<u32>(run, 4)) << 2)) != label) continue;
      const first = <i32>load<u16>(run);
      memory.fill(to + <usize>first, 255, <usize>(<i32>load<u16>(run, 2) - first));
    }
  }
  let n = 0;
  const firstX = max(left - 1, 0);
  const lastX = min(right + 1, width - 1);
  for (let y = max(top - 1, 0); y <= min(bottom + 1, height - 1); y++) {
    const row = mask + <usize>((y - top + 2) * pitch + INDENT - left);
    for (let x = firstX; x <= lastX; x += 16) {
      const p = row + <usize>x;
      const above = p - <usize>pitch;
      const below = p + <usize>pitch;
      const own = v128.load(p);
      let near = v128.or(v128.load(above), v128.load(below));
      near = v128.or(near, v128.or(v128.load(p - 1), v128.load(p, 1)));
      near = v128.or(near, v128.or(v128.load(above - 1), v128.load(above, 1)));
      near = v128.or(near, v128.or(v128.load(below - 1), v128.load(below, 1)));
      let bits = <u32>i8x16.bitmask(v128.andnot(near, own));
      if (x + 15 > lastX) bits &= ((<u32>1) << (lastX - x + 1)) - 1;
      for (; bits; bits &= bits - 1) {
        if (n == capacity) return -1;
        store<f32>(s.px + ((<usize>n) << 2), <f32>(originX + x + <i32>ctz<u32>(bits)));
        store<f32>(s.py + ((<usize>n) << 2), <f32>(originY + y));
        n++;
      }
    }
  }
  s.points = n;
  return n;
}
