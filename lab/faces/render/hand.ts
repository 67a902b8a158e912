/** A hand that lies on the face: fingers that follow the skin, and what of the palm and the arm is behind them. */
import { type HeadProfile } from './profile.ts';
import { Part, tube, type Mesh } from './scene.ts';
import type { Worn } from './worn-settings.ts';

/** Of four fingers and the thumb: length, sideways place at the palm, radius; cm. */
const FINGERS = [
  [6.6, -2.7, 0.72],
  [7.6, -0.9, 0.78],
  [7.1, 0.9, 0.75],
  [5.6, 2.6, 0.64],
];

export function addHand(mesh: Mesh, profile: HeadProfile, hand: NonNullable<Worn['hand']>): void {
  const { azimuth, height, angle, size, spread } = hand;
  const perCm = 180 / (Math.PI * 9.5);
  /** Along the fingers and across them, cm from the finger tips' middle, to a point above the skin. */
  const place = (along: number, across: number, out: number) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const sideways = across * c - along * s;
    const y = height + along * c + across * s;
    return profile.point(azimuth + sideways * perCm, Math.max(-13, y), out + Math.max(0, -9 - y) * 0.3);
  };
  FINGERS.forEach(([long, across, radius], k) => {
    const line = Array.from({ length: 7 }, (_, i) => {
      const t = i / 6;
      const fan = across * (1 + spread * 3 * t);
      return place(size * (-7.5 + long * t), size * fan, size * radius * (0.95 + 0.25 * Math.sin(3 * t + k)));
    });
    tube(mesh, line, (i) => size * radius * (i === 6 ? 0.45 : 1 - 0.04 * i), Part.hand, 8);
  });
  const thumb = [
    [-11, -2.8],
    [-9, -4.6],
    [-6.8, -5.6],
    [-5, -5.9],
  ].map(([along, across]) => place(size * along, size * across, size * 1));
  tube(mesh, thumb, (i) => size * (i === 3 ? 0.5 : 0.95 - 0.06 * i), Part.hand, 8);
  const palm = [-6.6, -8.5, -11, -14, -20, -30].map((along) => place(size * along, 0, size * 1.3));
  const first = mesh.count;
  const [columns, wide] = [13, [3.4, 3.7, 3.6, 2.9, 2.9, 3.4]];
  palm.forEach(([x, y, z], i) => {
    const side = place(size * [-6.6, -8.5, -11, -14, -20, -30][i], 1, size * 1.3);
    const d = [side[0] - x, side[1] - y, side[2] - z];
    for (let k = 0; k < columns; k++) {
      const [c, s] = [Math.cos((2 * Math.PI * k) / (columns - 1)), Math.sin((2 * Math.PI * k) / (columns - 1))];
      const [w, out] = [size * wide[i] * c, size * (i < 3 ? 1 : 2) * s];
      const [rx, rz] = [x, z - 1.5];
      const far = Math.hypot(rx, rz) || 1;
      mesh.vertex(x + w * d[0] + (out * rx) / far, y + w * d[1], z + w * d[2] + (out * rz) / far, 3 * k, 5 * i, 10);
    }
  });
  mesh.grid(first, palm.length, columns, Part.hand);
}
