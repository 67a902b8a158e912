// The steps of the segment search one by one, for the comparison with literal arrays and plain references.
import { Value } from '../../runtime/wasm/value';
import { findEdgePoints } from './edges';
import { proposeEllipses } from './ellipses';
import { findSegments } from './segments';
import { Robust } from './state';
import { Search } from '../search/search';

/** Edge points of the region; returns their number. */
export function robustEdges(search: usize, robust: usize): Value {
  const r = changetype<Robust>(robust);
  const s = changetype<Search>(search);
  findEdgePoints(s, r, s.work);
  return r.edges;
}

/** Segments of the edge points; returns their number. */
export function robustSegments(search: usize, robust: usize): Value {
  const r = changetype<Robust>(robust);
  findSegments(r, changetype<Search>(search).work);
  return r.segmentCount;
}

/** Ellipses of the segments, best first; returns their number. */
export function robustEllipses(search: usize, robust: usize): Value {
  const r = changetype<Robust>(robust);
  const s = changetype<Search>(search);
  proposeEllipses(s, r, s.work);
  return r.ellipseCount;
}
