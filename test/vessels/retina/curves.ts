/** Curves whose length, curvature or dimension is known. */

/** An arc of a circle as x, y of its points, about a pixel apart, 10000 of them at the most. */
export function arc(angle: number, radius: number): Float32Array {
  const count = Math.min(10_000, Math.max(2, Math.round(angle * radius)));
  const points = new Float32Array(2 * count + 2);
  for (let k = 0; k <= count; k++) {
    const a = (angle * k) / count;
    // From the circle's top, so that a large circle loses no digits.
    points.set([radius * Math.sin(a) + 100, 2 * radius * Math.sin(a / 2) ** 2 + 100.3], 2 * k);
  }
  return points;
}

/** Koch's curve over a line of this length, so many steps: dimension log 4 / log 3. */
export function koch(steps: number, length: number): Float32Array {
  let points: [number, number][] = [
    [50, 300],
    [50 + length, 300],
  ];
  const turn = Math.PI / 3;
  for (let s = 0; s < steps; s++)
    points = points.flatMap(([x, y], k): [number, number][] => {
      const next = points[k + 1];
      if (!next) return [[x, y]];
      const [dx, dy] = [(next[0] - x) / 3, (next[1] - y) / 3];
      const peak: [number, number] = [
        x + dx + dx * Math.cos(turn) + dy * Math.sin(turn),
        y + dy - dx * Math.sin(turn) + dy * Math.cos(turn),
      ];
      return [[x, y], [x + dx, y + dy], peak, [x + 2 * dx, y + 2 * dy]];
    });
  return Float32Array.from(points.flat());
}

/** A line back and forth that fills a square: dimension 2 down to its distance. */
export function filled(side: number, apart: number): Float32Array {
  const points: number[] = [];
  for (let k = 0; k * apart <= side; k++) {
    const y = 100 + k * apart;
    points.push(...(k % 2 ? [100 + side, y, 100, y] : [100, y, 100 + side, y]));
  }
  return Float32Array.from(points);
}
