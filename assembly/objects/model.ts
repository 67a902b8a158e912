// Appearance of a target for the detector, with the thresholds and parameters for learning. Created by
// src/objects/model.ts.

@unmanaged
export class ObjectModel {
  leastVariance: f64; // minimum variance of a window that may be the target: half the variance of the first box
  fernThreshold: f64; // minimum mean posterior of a candidate
  nearestThreshold: f64; // minimum relative similarity of a detection
  validThreshold: f64; // minimum conservative similarity of a trusted track
  negativeOverlap: f64; // windows with less overlap are background
  sameThreshold: f64; // correlation of patches that count as equal
  // Similarity of the current patch to the target.
  relative: f64;
  conservative: f64;
  nearestPositive: f64; // correlation with the nearest positive and negative, -1 to 1
  nearestNegative: f64;
  patch: usize;
  learned: i32; // number of examples that the last kernel learned from
  noise: f32; // gray levels on warped copies
  warps: i32; // warped copies of a box
  firstWarps: i32; // warped copies of the first box
  random: u32; // state of the random numbers
  // Ferns: points as fractions of the window's width and height, 4 f32 per comparison. Posteriors f32 and counts u16 of
  // every code.
  fractions: usize;
  posteriors: usize;
  fernPositives: usize;
  fernNegatives: usize;
  // Patches, STORED_BYTES each, and the correlations with all of them, f32, positives first.
  positives: usize;
  positiveCount: i32;
  mostPositives: i32;
  negatives: usize;
  negativeCount: i32;
  mostNegatives: i32;
  correlations: usize;
}
