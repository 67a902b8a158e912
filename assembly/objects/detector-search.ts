// The detector's memory for one target and one size of frames; src/objects/detector.ts makes it.

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
  offsets: usize; // of the ferns' comparisons at every scale, i32, for the blurred image's stride
  // Of each pair the windows that vary enough, u16 each, and their number, i32; votes, f32.
  accepted: usize;
  counts: usize;
  votes: usize;
  // What passed the ferns, highest vote first, and the patches of the first of them.
  candidates: usize; // Candidate
  candidateCount: i32;
  mostCandidates: i32;
  detections: usize; // Detection
  detectionCount: i32;
  mostDetections: i32;
  patches: usize;
  // The windows that lie closest to a box.
  nearest: usize; // Candidate
  nearestCount: i32;
  mostNearest: i32;
  // Codes and places of the windows that the GPU let through.
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
  number: u32; // in the grid's order
  vote: f32;
  scale: i32;
  record: i32; // where its codes are if the GPU computed them, else -1
}

/** A candidate compared with the stored patches; begins as a Box. */
@unmanaged
export class Detection {
  x: f64;
  y: f64;
  width: f64;
  height: f64;
  relative: f64;
  conservative: f64;
  patch: usize;
  spare: i32; // fills up to a multiple of 8 bytes
}

export function candidateAt(candidates: usize, i: i32): Candidate {
  return changetype<Candidate>(candidates + <usize>i * offsetof<Candidate>());
}

export function detectionAt(detections: usize, i: i32): Detection {
  return changetype<Detection>(detections + <usize>i * offsetof<Detection>());
}
