// Separate steps of the segment search, for comparison with literal arrays and plain reference implementations.
import { Value } from '../../runtime/wasm/value';
import { findEdgePoints } from './edges';
import { proposeEllipses } from './ellipses';
import { findSegments } from './segments';
import { Robust } from './state';
import { Search } from '../search/search';

/** Edge points of the region. Returns their number. */
export function robustEdges(search: usize, robust: usize): Value {
  const r = changetype<Robust>(robust);
  const s = changetype<Search>(search);
  findEdgePoints(s, r, s.work);
  return r.edges;
}

/** Segments of the edge points. Returns their number. */
export function robustSegments(search: usize, robust: usize): Value {
  const r = changetype<Robust>(robust);
  findSegments(r, changetype<Search>(search).work);
  return r.segmentCount;
}

/** Ellipses of the segments, best first. Returns their number. */
export function robustEllipses(search: usize, robust: usize): Value {
  const r = changetype<Robust>(robust);
  const s = changetype<Search>(search);
  proposeEllipses(s, r, s.work);
  return r.ellipseCount;
}
