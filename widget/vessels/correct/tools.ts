/**
 * The correction tools, their keys and effects, the drawing of corrections, and a retina report that includes them.
 */
import {
  cutAcross,
  kindCorrection,
  type KindCorrection,
  type VesselCorrection,
  type VesselSegment,
  type DiscCorrection,
  type RetinalMeasures,
  type RetinaReport,
  type RetinaReportInput,
  toHtml,
  type VesselResult,
} from '../../../src/index.ts';
import { reportOfRetina } from '../../../src/internal.ts';
import { SegmentIndex } from '../figures.ts';

export const tools = ['add', 'erase', 'cut', 'disc', 'fovea', 'artery', 'vein', 'unknown'] as const;
export type Tool = (typeof tools)[number];

export const toolKeys: Readonly<Record<string, Tool>> = {
  a: 'add',
  e: 'erase',
  x: 'cut',
  d: 'disc',
  f: 'fovea',
  t: 'artery',
  v: 'vein',
  u: 'unknown',
};

/** Tools that draw a line. */
export const draws = (tool: Tool): tool is 'add' | 'erase' => tool === 'add' || tool === 'erase';

/** The tool that makes this kind of correction. */
export const toolOf = (correction: VesselCorrection): Tool =>
  correction.action === 'kind' ? correction.kind : correction.action;

/** Rounds to a tenth of a pixel, since people also read the exports. */
export const tenth = (value: number): number => Math.round(10 * value) / 10;

/** Correction for a press at a point, given the current segments. Null if there is none. */
export function pressed(
  tool: Exclude<Tool, 'add' | 'erase' | 'disc'>,
  { segments, width, height }: { segments: readonly VesselSegment[]; width: number; height: number },
  { x, y, reach }: { x: number; y: number; reach: number },
): VesselCorrection | null {
  if (tool === 'fovea') return { action: 'fovea', x: tenth(x), y: tenth(y) };
  const hit = new SegmentIndex(segments, width, height).nearest(x, y, reach);
  if (!hit) return null;
  const segment = segments[hit.segment]!;
  return tool === 'cut' ? cutAcross(segment, x, y) : kindCorrection(segment, tool satisfies KindCorrection['kind']);
}

// The optic disc under a brush. A press inside moves it, a press on its rim resizes it, a press elsewhere places it
// there.

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Range of the draggable rim, in radii. */
const RIM = { from: 0.75, to: 1.3 };

export class DiscDrag {
  readonly #begin: Circle;
  readonly #x: number;
  readonly #y: number;
  readonly #rim: boolean;
  /** The disc at this point of the gesture. */
  now: Circle;

  /** `fallback`: radius of a new disc. */
  constructor(disc: Circle | null, x: number, y: number, fallback: number) {
    const away = disc ? Math.hypot(x - disc.x, y - disc.y) / disc.radius : Infinity;
    this.#rim = away >= RIM.from && away <= RIM.to;
    this.#begin = this.now = disc && away <= RIM.to ? disc : { x, y, radius: disc?.radius ?? fallback };
    this.#x = x;
    this.#y = y;
  }

  move(x: number, y: number): void {
    const { x: cx, y: cy, radius } = this.#begin;
    this.now = this.#rim
      ? {
          ...this.now,
          radius: Math.max(2, radius + Math.hypot(x - cx, y - cy) - Math.hypot(this.#x - cx, this.#y - cy)),
        }
      : { x: cx + x - this.#x, y: cy + y - this.#y, radius };
  }
}

/** Correction for a photograph of this size. */
export function discCorrection({ x, y, radius }: Circle, size: { width: number; height: number }): DiscCorrection {
  const inside = (v: number, length: number) => tenth(Math.max(0, Math.min(length - 1, v)));
  const most = Math.max(size.width, size.height) / 2;
  return {
    action: 'disc',
    x: inside(x, size.width),
    y: inside(y, size.height),
    radius: tenth(Math.max(1, Math.min(most, radius))),
  };
}

// Draws corrections over the vessels: arteries in red and veins in blue, disc and fovea, and the line being drawn.

interface CorrectingView {
  segments: readonly VesselSegment[];
  kinds: readonly (KindCorrection['kind'] | null)[];
  retina: RetinalMeasures | null;
  disc: Circle | null;
  line: { points: readonly number[]; width: number; erase: boolean } | null;
}

/** The colors also differ in lightness. */
const kindColors = { artery: '#e8211a', vein: '#1f4fff' } as const;

function path({ points }: { points: ArrayLike<number> }): Path2D {
  const line = new Path2D();
  for (let k = 0; k < points.length; k += 2) line.lineTo(points[k]! + 0.5, points[k + 1]! + 0.5);
  if (points.length === 2) line.lineTo(points[0]! + 0.51, points[1]! + 0.5); // a dot
  return line;
}

/** In image pixels. `unit`: one screen pixel in image pixels. */
export function drawCorrecting(
  context: CanvasRenderingContext2D,
  { segments, kinds, retina, disc, line }: CorrectingView,
  unit: number,
  halo: string,
): void {
  context.lineJoin = context.lineCap = 'round';
  for (const [index, segment] of segments.entries()) {
    const kind = kinds[index];
    if (!kind || kind === 'unknown') continue;
    const line = path(segment);
    const width = Math.max(3 * unit, 0.7 * (segment.width ?? 0));
    for (const [color, more] of [
      ['#fff', 2.5 * unit], // red is hardly visible on the red retina
      [kindColors[kind], 0],
    ] as const) {
      context.strokeStyle = color;
      context.lineWidth = width + more;
      context.stroke(line);
    }
  }
  const ring = ({ x, y, radius }: Circle, dash: readonly number[]) => {
    for (const [color, width] of [
      [halo, 4],
      ['#fff', 2],
    ] as const) {
      context.beginPath();
      context.arc(x + 0.5, y + 0.5, radius, 0, 2 * Math.PI);
      context.setLineDash(dash.map((v) => v * unit));
      context.strokeStyle = color;
      context.lineWidth = width * unit;
      context.stroke();
    }
    context.setLineDash([]);
  };
  if (disc) {
    ring(disc, []);
    // Zone B, in which calibers are measured, from half to one disc diameter from the disc margin, and the end of zone C.
    for (const radii of [2, 3, 5]) ring({ ...disc, radius: radii * disc.radius }, [5, 5]);
  }
  const fovea = retina?.fovea;
  if (fovea) {
    const arm = 9 * unit;
    for (const [color, width] of [
      [halo, 4],
      ['#fff', 2],
    ] as const) {
      context.strokeStyle = color;
      context.lineWidth = width * unit;
      context.stroke(path({ points: [fovea.x - arm, fovea.y, fovea.x + arm, fovea.y] }));
      context.stroke(path({ points: [fovea.x, fovea.y - arm, fovea.x, fovea.y + arm] }));
    }
  }
  if (line) {
    context.globalAlpha = 0.7;
    context.strokeStyle = line.erase ? '#ff4060' : '#fff';
    context.lineWidth = line.width;
    context.stroke(path(line));
    context.globalAlpha = 1;
  }
}

// A retina report that includes the corrections.

/** Data that only the page has: the patient, and the time and device of the photograph. */
export type ReportAbout = Partial<
  Pick<
    RetinaReportInput,
    'id' | 'started' | 'laterality' | 'camera' | 'patient' | 'about' | 'encounter' | 'dicomPatient' | 'source'
  >
>;

interface Reported {
  readonly frame: VesselResult;
  readonly retina: RetinalMeasures | null;
  readonly corrections: readonly VesselCorrection[];
  readonly source: { name: string; sha256: string | null };
  readonly parameters: Record<string, unknown>;
  readonly backend: string;
  readonly renderer: string | null;
}

export function retinaReport(of: Reported, about: ReportAbout): RetinaReport {
  const { frame, retina, corrections, source, parameters, backend, renderer } = of;
  return reportOfRetina({
    kind: 'retina',
    started: new Date(),
    ...about,
    source: { ...source, ...about.source },
    result: frame,
    ...{ retina, corrections, parameters, backend, renderer },
  });
}

/** `picture`: the photograph with its vessels, as PNG. */
export async function printedReport(report: RetinaReport, picture: Blob, title: string): Promise<string> {
  return toHtml(report, { picture: { png: new Uint8Array(await picture.arrayBuffer()), title } });
}
