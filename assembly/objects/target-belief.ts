// Where a target is believed to be, with how much trust; begins as a Box.

export const BY_NONE: i32 = 0;
export const BY_TRACKER: i32 = 1;
export const BY_DETECTOR: i32 = 2;
export const BY_BOTH: i32 = 3;

@unmanaged
export class Belief {
  x: f64;
  y: f64;
  width: f64;
  height: f64;
  confidence: f64;
  found: i32; // 0: nothing is believed, and the other fields say nothing
  valid: i32; // trusted: it may teach
  by: i32; // which part found it
  shown: i32; // it is reported
}
