// State of the segment search, in addition to the search state (../search/search.ts).

@unmanaged
export class Robust {
  // The reduced region of the edge search.
  factor: i32; // width of the blocks whose mean is a reduced pixel
  width: i32;
  height: i32;
  stride: i32; // of the planes below, in elements, a multiple of 8
  image: usize; // u8, block means
  smooth: usize; // i16, sixteen times the gray level
  gradientX: usize; // i16
  gradientY: usize; // i16
  magnitude: usize; // u16
  index: usize; // u16 per pixel: index of its edge point plus one, 0: none
  low: i32; // thresholds on the magnitude
  high: i32;
  // Edge points: x, y (sub-pixel), unit gradient (from dark to bright), f32. One array each.
  edgeX: usize;
  edgeY: usize;
  normalX: usize;
  normalY: usize;
  used: usize; // u8: part of a chain
  edges: i32;
  maxEdges: i32;
  // Segments: points in order at `order` (u16 edge numbers).
  order: usize;
  segments: usize; // see ./segments
  segmentCount: i32;
  maxSegments: i32;
  // Ellipses proposed by the segments, best first, in reduced pixels. See ./ellipses.
  ellipses: usize;
  ellipseCount: i32;
  maxEllipses: i32;
  minRadius: f32; // in reduced pixels
  maxRadius: f32;
  top: i32; // source of the best outline: 0 none, 1 dark region, 2 segments, 3 last outline
  refined: usize; // x, y, r of the outlines refined in this frame, f32
  refinedCount: i32;
  maxRefined: i32;
  tries: i32; // outlines refined in this frame
  fine: usize; // cos, sin of the normals of the last refinement, f32
  fineCount: i32;
  sigma: f32; // width of the outline's edge, px
  log: usize; // 0, or the log of all rated outlines of a frame: x, y, a, b, score, way, then the features. f32
  logCount: i32;
  maxLog: i32;
  way: i32; // source of the current proposal, as in `top`
}
