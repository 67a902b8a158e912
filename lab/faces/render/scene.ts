/** What a picture consists of: triangles in the camera's axes, each of a part that says how its surface looks. */

/** The first seven are the materials of the face model. */
export const Part = {
  face: 0,
  head: 1,
  socket: 2,
  gums: 3,
  teeth: 4,
  eye: 5,
  lash: 6,
  hair: 7,
  hat: 8,
  cloth: 9,
  frame: 10,
  mask: 11,
  hand: 12,
  lens: 13,
} as const;

/**
 * Vertices and triangles that grow. Positions are in the frame of whoever adds them until `place` turns them; `rest` are the
 * coordinates that a surface is painted by.
 */
export class Mesh {
  count = 0;
  triangleCount = 0;
  position = new Float32Array(3 * 32768);
  rest = new Float32Array(3 * 32768);
  normal = new Float32Array(3 * 32768);
  triangles = new Uint32Array(3 * 65536);
  part = new Uint8Array(65536);

  clear(): void {
    this.count = 0;
    this.triangleCount = 0;
  }

  /** Adds a vertex and returns its number. */
  vertex(x: number, y: number, z: number, u = 0, v = 0, w = 0): number {
    const at = 3 * this.count;
    if (at >= this.position.length) {
      this.position = twice(this.position);
      this.rest = twice(this.rest);
      this.normal = twice(this.normal);
    }
    this.position[at] = x;
    this.position[at + 1] = y;
    this.position[at + 2] = z;
    this.rest[at] = u;
    this.rest[at + 1] = v;
    this.rest[at + 2] = w;
    return this.count++;
  }

  triangle(a: number, b: number, c: number, part: number): void {
    if (this.triangleCount === this.part.length) {
      const [triangles, part] = [new Uint32Array(2 * this.triangles.length), new Uint8Array(2 * this.part.length)];
      triangles.set(this.triangles);
      part.set(this.part);
      [this.triangles, this.part] = [triangles, part];
    }
    const at = 3 * this.triangleCount;
    this.triangles[at] = a;
    this.triangles[at + 1] = b;
    this.triangles[at + 2] = c;
    this.part[this.triangleCount++] = part;
  }

  /** Two triangles for each cell of a grid of vertices that was added row by row, beginning at `first`. */
  grid(first: number, rows: number, columns: number, part: number): void {
    for (let j = 0; j + 1 < rows; j++)
      for (let i = 0; i + 1 < columns; i++) {
        const a = first + j * columns + i;
        this.triangle(a, a + columns, a + 1, part);
        this.triangle(a + 1, a + columns, a + columns + 1, part);
      }
  }

  /** Normals from all triangles, weighted by area; what is shared by two faces becomes smooth. */
  findNormals(): void {
    const { position, normal, triangles } = this;
    normal.fill(0, 0, 3 * this.count);
    for (let t = 0; t < 3 * this.triangleCount; t += 3) {
      const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
      const ux = position[b] - position[a];
      const uy = position[b + 1] - position[a + 1];
      const uz = position[b + 2] - position[a + 2];
      const vx = position[c] - position[a];
      const vy = position[c + 1] - position[a + 1];
      const vz = position[c + 2] - position[a + 2];
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      for (let k = 0; k < 3; k++) {
        const at = 3 * triangles[t + k];
        normal[at] += nx;
        normal[at + 1] += ny;
        normal[at + 2] += nz;
      }
    }
    for (let i = 0; i < 3 * this.count; i += 3) {
      const x = normal[i];
      const y = normal[i + 1];
      const z = normal[i + 2];
      const length = Math.sqrt(x * x + y * y + z * z) || 1;
      normal[i] = x / length;
      normal[i + 1] = y / length;
      normal[i + 2] = z / length;
    }
  }

  /** Turns the vertices from `first` about a point: matrix of three rows, then a shift. */
  place(first: number, m: ArrayLike<number>, pivot: ArrayLike<number>, shift: ArrayLike<number>): void {
    const p = this.position;
    for (let i = 3 * first; i < 3 * this.count; i += 3) {
      const x = p[i] - pivot[0];
      const y = p[i + 1] - pivot[1];
      const z = p[i + 2] - pivot[2];
      p[i] = m[0] * x + m[1] * y + m[2] * z + shift[0];
      p[i + 1] = m[3] * x + m[4] * y + m[5] * z + shift[1];
      p[i + 2] = m[6] * x + m[7] * y + m[8] * z + shift[2];
    }
  }
}

function twice(from: Float32Array): Float32Array<ArrayBuffer> {
  const to = new Float32Array(2 * from.length);
  to.set(from);
  return to;
}

/** A tube of `sides` sides along a line of points [x, y, z], each with its radius. */
export function tube(
  mesh: Mesh,
  line: readonly (readonly number[])[],
  radius: (i: number) => number,
  part: number,
  sides = 6,
): void {
  const first = mesh.count;
  line.forEach((p, i) => {
    const [before, after] = [line[Math.max(0, i - 1)], line[Math.min(line.length - 1, i + 1)]];
    const d = unit([after[0] - before[0], after[1] - before[1], after[2] - before[2]]);
    const u = unit(cross(d, Math.abs(d[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]));
    const v = cross(d, u);
    const r = radius(i);
    for (let k = 0; k <= sides; k++) {
      const [c, s] = [r * Math.cos((2 * Math.PI * k) / sides), r * Math.sin((2 * Math.PI * k) / sides)];
      mesh.vertex(p[0] + c * u[0] + s * v[0], p[1] + c * u[1] + s * v[1], p[2] + c * u[2] + s * v[2], k, i, r);
    }
  });
  mesh.grid(first, line.length, sides + 1, part);
}

export const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

export function unit(a: readonly number[]): number[] {
  const length = Math.hypot(a[0], a[1], a[2]) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

/** Rows of the matrix that turns by yaw about +y, then pitch about +x, then roll about +z; degrees. */
export function turning(yaw: number, pitch: number, roll: number): number[] {
  const [a, b, c] = [yaw, pitch, roll].map((degrees) => (degrees * Math.PI) / 180);
  const [ca, sa, cb, sb, cc, sc] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b), Math.cos(c), Math.sin(c)];
  // roll * pitch * yaw, pitch > 0 lowers the nose, roll > 0 turns the picture of the head against the clock
  const rows = [
    [ca, 0, sa],
    [-sb * -sa, cb, -sb * ca],
    [cb * -sa, sb, cb * ca],
  ];
  return [
    ...rows[0].map((v, k) => cc * v - sc * rows[1][k]),
    ...rows[0].map((v, k) => sc * v + cc * rows[1][k]),
    ...rows[2],
  ];
}
