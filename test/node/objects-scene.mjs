// A textured square that moves over a textured background, hides behind a bar, and comes back elsewhere.
const WIDTH = 320;
const HEIGHT = 200;
const SIDE = 36;

/** Smooth noise: two octaves of random gray values between lattice points. */
function texture(seed, cell) {
  const value = (x, y) => {
    let h = Math.imul(x * 374761393 + y * 668265263 + seed * 1274126177, 1103515245);
    h = Math.imul(h ^ (h >>> 13), 1274126177);
    return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
  };
  return (x, y) => {
    let sum = 0;
    for (const [size, weight] of [
      [cell, 0.65],
      [cell / 2, 0.35],
    ]) {
      const ix = Math.floor(x / size);
      const iy = Math.floor(y / size);
      const fx = x / size - ix;
      const fy = y / size - iy;
      const top = value(ix, iy) * (1 - fx) + value(ix + 1, iy) * fx;
      const low = value(ix, iy + 1) * (1 - fx) + value(ix + 1, iy + 1) * fx;
      sum += weight * (top * (1 - fy) + low * fy);
    }
    return 255 * sum;
  };
}

const ground = texture(1, 24);
const square = texture(7, 9);

/** Where the square is in frame t; hidden from 40 to 59, back from 60 at another place. `side`: of a smaller square. */
export function squareAt(t, side = SIDE) {
  const back = t >= 60;
  const x = back ? 220 - 2 * (t - 60) : 40 + 2.5 * t;
  const y = back ? 40 + 1.2 * (t - 60) : 80 + 12 * Math.sin(t / 7);
  return { x: Math.round(x), y: Math.round(y), width: side, height: side, hidden: t >= 40 && t < 60, back };
}

export function renderScene(t, side = SIDE) {
  const data = new Uint8Array(WIDTH * HEIGHT);
  const at = squareAt(t, side);
  for (let y = 0; y < HEIGHT; y++)
    for (let x = 0; x < WIDTH; x++) {
      const u = x - at.x;
      const v = y - at.y;
      const inside = !at.hidden && u >= 0 && v >= 0 && u < side && v < side;
      data[y * WIDTH + x] = inside ? square(u, v) : 60 + 0.5 * ground(x, y);
    }
  return { width: WIDTH, height: HEIGHT, data };
}

let grounds;

/** A disc of radius 30 about (160, 100) that has turned by `angle`, from +x towards +y, before the same ground. */
export function turningScene(angle) {
  grounds ??= Uint8Array.from(
    { length: WIDTH * HEIGHT },
    (_, i) => 60 + 0.5 * ground(i % WIDTH, Math.floor(i / WIDTH)),
  );
  const data = grounds.slice();
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  for (let y = 70; y <= 130; y++)
    for (let x = 130; x <= 190; x++) {
      const [u, v] = [x - 160, y - 100];
      if (u * u + v * v < 30 * 30) data[y * WIDTH + x] = square(60 + c * u + s * v, 60 - s * u + c * v);
    }
  return { width: WIDTH, height: HEIGHT, data };
}
