// What a target looks like to the detector, and the thresholds and numbers by which it learns; src/objects/model.ts makes
// it.

@unmanaged
export class ObjectModel {
  leastVariance: f64; // of a window that may be the target: half that of the first box
  fernThreshold: f64; // mean posterior of a candidate
  nearestThreshold: f64; // relative similarity of a detection
  validThreshold: f64; // conservative similarity from which a track is trusted
  negativeOverlap: f64; // windows that overlap less are background
  sameThreshold: f64; // correlation of patches that count as the same
  // How much the patch at hand looks like the target.
  relative: f64;
  conservative: f64;
  nearestPositive: f64; // correlation with the nearest positive and negative, -1..1
  nearestNegative: f64;
  patch: usize;
  learned: i32; // what the last kernel found to learn from
  noise: f32; // gray levels on warped copies
  warps: i32; // warped copies of a box
  firstWarps: i32; // the same of the first box
  random: u32; // state of the random numbers
  // Ferns: points as fractions of the window's sides, 4 f32 a comparison; posteriors f32, counts u16 of every code.
  fractions: usize;
  posteriors: usize;
  fernPositives: usize;
  fernNegatives: usize;
  // Patches, STORED_BYTES each, and the correlations with all of them, f32, the positives' first.
  positives: usize;
  positiveCount: i32;
  mostPositives: i32;
  negatives: usize;
  negativeCount: i32;
  mostNegatives: i32;
  correlations: usize;
}
