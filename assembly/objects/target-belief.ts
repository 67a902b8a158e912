// Estimated position of a target with its confidence. Begins as a Box.

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
  found: i32; // 0: there is no estimate, and the other fields have no meaning
  valid: i32; // trusted: the model may learn from it
  by: i32; // which part found it
  shown: i32; // it is reported
}
