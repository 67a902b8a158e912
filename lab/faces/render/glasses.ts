/** Glasses and sunglasses. */
import type { FaceModel } from './model.ts';
import { Part, tube, type Mesh } from './scene.ts';
import type { Glasses } from './worn-settings.ts';

const STEPS = 28;

export function addGlasses(mesh: Mesh, glasses: Glasses, { landmarks }: FaceModel): void {
  const { half, height, square, drop, rim, rimless, lower, slide } = glasses;
  const at = (k: number) => mesh.position.subarray(3 * landmarks[k], 3 * landmarks[k] + 3);
  const mean = (...of: number[]) => [0, 1, 2].map((c) => of.reduce((sum, k) => sum + at(k)[c], 0) / of.length);
  const front = Math.max(at(27)[2] + 0.15, mean(19, 24)[2] + 0.25) + 0.8 * slide;
  const depth = (x: number) => front - 0.045 * x * x;
  for (const side of [1, -1]) {
    const eye = side > 0 ? mean(42, 45) : mean(36, 39);
    const cx = side * Math.max(Math.abs(eye[0]) + 0.1, half + 0.7);
    const cy = eye[1] - 0.35 + drop - slide;
    const outline = Array.from({ length: STEPS + 1 }, (_, i) => {
      const angle = (2 * Math.PI * i) / STEPS;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const grown = (v: number) => Math.sign(v) * Math.abs(v) ** (2 / square);
      // narrower below, as the cheek wants it
      const x = cx + half * grown(c) * (s < 0 ? 1 + 0.12 * s : 1);
      return [x, cy + height * grown(s), depth(x)];
    });
    if (!rimless) tube(mesh, lower ? outline : outline.slice(0, STEPS / 2 + 1), () => rim, Part.frame, 5);
    const middle = mesh.vertex(cx, cy, depth(cx) + 0.05, 0, 0, 0);
    const first = mesh.count;
    for (const [x, y, z] of outline) mesh.vertex(x, y, z, (x - cx) / half, (y - cy) / height, 0);
    for (let i = 0; i < STEPS; i++) mesh.triangle(middle, first + i, first + i + 1, Part.lens);
    const hinge = [cx + side * half, cy + 0.45 * height];
    const temple = [
      [...hinge, depth(hinge[0])],
      [side * 7.7, eye[1] + 0.4 - 0.5 * slide, 6.5],
      [side * 8.1, eye[1] + 0.3, 0.5],
      [side * 8.2, eye[1] - 2, -1],
    ];
    tube(mesh, temple, () => Math.max(0.08, rim), Part.frame, 5);
  }
  const inner = Math.max(Math.abs(mean(42, 45)[0]) + 0.1, half + 0.7) - half;
  const y = mean(36, 39, 42, 45)[1] - 0.35 + drop - slide + 0.35 * height;
  const bridge = [
    [-inner, y, depth(inner)],
    [0, y + 0.25, front + 0.1],
    [inner, y, depth(inner)],
  ];
  tube(mesh, bridge, () => Math.max(0.07, rim), Part.frame, 5);
}
