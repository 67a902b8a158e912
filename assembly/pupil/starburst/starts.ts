// Start points, lengths and step thresholds of rays: around the last pupil, or in the dark compact regions
// (./dark-regions). Shared by the rays of both backends and by all methods.
import { Search } from '../search/search';
import { findCandidates, measureLevels } from './dark-regions';

/** Threshold relative to a known contrast, and to the difference between a region and its surroundings. */
const SHARE: f32 = 0.4;
const SHARE_OF_REGION: f32 = 0.35;
/** Maximum threshold, gray levels. */
const HIGHEST: f32 = 30;

export function thresholdFor(s: Search, contrast: f32): f32 {
  return max<f32>(s.minGradient, min<f32>(HIGHEST, SHARE * contrast));
}

/** Ray length for a pupil of about this radius with usual movement. */
export function lookAround(r: f32): i32 {
  return <i32>(1.8 * r) + 24;
}

export function startX(s: Search, i: i32): f32 {
  return load<f32>(s.starts + <usize>(i << 4));
}
export function startY(s: Search, i: i32): f32 {
  return load<f32>(s.starts + <usize>(i << 4), 4);
}
export function startReach(s: Search, i: i32): i32 {
  return <i32>load<f32>(s.starts + <usize>(i << 4), 8);
}
export function startGradient(s: Search, i: i32): f32 {
  return load<f32>(s.starts + <usize>(i << 4), 12);
}

function put(s: Search, i: i32, x: f32, y: f32, reach: i32, gradient: f32): void {
  const at = s.starts + <usize>(i << 4);
  store<f32>(at, x);
  store<f32>(at, y, 4);
  store<f32>(at, <f32>reach, 8);
  store<f32>(at, gradient, 12);
}

/** One start: at the last pupil. */
export function startAtLast(s: Search): void {
  s.startCount = 1;
  put(s, 0, s.lastX, s.lastY, lookAround(s.lastR), thresholdFor(s, s.lastContrast));
}

/** The darkest compact regions, best first, at most s.maxStarts. Measures s.dark. */
export function startInDark(s: Search): void {
  findCandidates(s);
  for (let i = 0; i < s.startCount; i++) {
    const at = s.starts + <usize>(i << 4);
    const half = load<f32>(at, 8);
    const gradient = max<f32>(s.minGradient, min<f32>(HIGHEST, SHARE_OF_REGION * load<f32>(at, 12)));
    put(s, i, load<f32>(at), load<f32>(at, 4), <i32>(half * 5) + 10, gradient);
  }
}

export function startsAtLast(search: usize): i32 {
  startAtLast(changetype<Search>(search));
  return 0;
}

export function startsInDark(search: usize): i32 {
  startInDark(changetype<Search>(search));
  return 0;
}

/** The start in the paper: one point, rays across the whole image, one threshold. */
export function startsAt(search: usize, x: f32, y: f32): i32 {
  const s = changetype<Search>(search);
  s.startCount = 1;
  put(s, 0, x, y, max(s.width, s.height), s.minGradient);
  return 0;
}

/** First percentile of the region's levels, into s.dark. */
export function pupilDark(search: usize): i32 {
  measureLevels(changetype<Search>(search));
  return 0;
}
