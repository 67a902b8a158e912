// Memory of the detector for one target and one frame size. Created by src/objects/detector.ts.

@unmanaged
export class WindowSearch {
  // The grid.
  pairs: usize; // WindowPair
  pairCount: i32;
  batches: usize; // first pair of every batch and the number of pairs, i32
  batchCount: i32;
  scales: usize; // WindowScale
  scaleCount: i32;
  widest: i32; // windows of the largest batch
  offsets: usize; // of the ferns' comparisons at every scale, i32, for the stride of the blurred image
  // For each pair, the windows with enough variance, u16 each, and their number, i32. Votes, f32.
  accepted: usize;
  counts: usize;
  votes: usize;
  // Windows that passed the ferns, highest vote first, and the patches of the first ones.
  candidates: usize; // Candidate
  candidateCount: i32;
  mostCandidates: i32;
  detections: usize; // Detection
  detectionCount: i32;
  mostDetections: i32;
  patches: usize;
  // The windows nearest to a box.
  nearest: usize; // Candidate
  nearestCount: i32;
  mostNearest: i32;
  // Codes and positions of the windows that passed on the GPU.
  words: usize;
  places: usize;
}

/** A window that passed the ferns. */
@unmanaged
export class Candidate {
  x: f32;
  y: f32;
  width: f32;
  height: f32;
  number: u32; // index in the order of the grid
  vote: f32;
  scale: i32;
  record: i32; // index of its codes if the GPU computed them, otherwise -1
}

/** A candidate compared with the stored patches. Begins as a Box. */
@unmanaged
export class Detection {
  x: f64;
  y: f64;
  width: f64;
  height: f64;
  relative: f64;
  conservative: f64;
  patch: usize;
  spare: i32; // pads to a multiple of 8 bytes
}

export function candidateAt(candidates: usize, i: i32): Candidate {
  return changetype<Candidate>(candidates + <usize>i * offsetof<Candidate>());
}

export function detectionAt(detections: usize, i: i32): Detection {
  return changetype<Detection>(detections + <usize>i * offsetof<Detection>());
}
