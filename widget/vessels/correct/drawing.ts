/** Draws corrections over the vessels: arteries in red and veins in blue, disc and fovea, and the line being drawn. */
import type { KindCorrection, RetinalMeasures, VesselSegment } from '../../../src/index.ts';
import type { Circle } from './tools.ts';

export interface CorrectingView {
  segments: readonly VesselSegment[];
  kinds: readonly (KindCorrection['kind'] | null)[];
  retina: RetinalMeasures | null;
  disc: Circle | null;
  line: { points: readonly number[]; width: number; erase: boolean } | null;
}

/** The colors also differ in lightness. */
export const kindColors = { artery: '#e8211a', vein: '#1f4fff' } as const;

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
    // Zone of the caliber measurement: half to one disc diameter from the disc margin.
    for (const radii of [2, 3]) ring({ ...disc, radius: radii * disc.radius }, [5, 5]);
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
