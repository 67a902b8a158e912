// What `door` measures, in the page as in Node: the calls' names with their sizes, and the picture of each size.
export const ROWS = [
  ['gaussian', 1280, 1024],
  ['gaussian given away', 1280, 1024],
  ['top-hat 19', 1280, 1024],
  ['median 7', 1280, 1024],
  ['canny', 1280, 1024],
  ['canny', 3504, 2336],
  ['integral', 3840, 2160],
  ['integral uint32', 3840, 2160],
  ['eigenvalues', 700, 605],
  ['eigenvalues', 3504, 2336],
  ['dense flow', 640, 480],
  ['faces', 1280, 720],
  ['inpaint', 400, 400],
  ['vessels', 3504, 2336],
  ['five calls', 1280, 1024],
  ['chain of five', 1280, 1024],
];

/** Soft waves of several sizes with noise: edges everywhere, the same on every machine. */
export function scene(width, height) {
  const data = new Uint8Array(width * height);
  let seed = 7;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      const wave = Math.sin(x / 17) * Math.cos(y / 23) + Math.sin((x + y) / 71) + Math.sin((x * y) / 40000);
      data[y * width + x] = 128 + 36 * wave + ((seed >>> 24) - 128) / 16;
    }
  return data;
}

/** A drawn retina: a bright disc in the dark, dark arcs of several widths across it, with noise. */
export function fundus(width, height) {
  const data = new Uint8Array(width * height);
  const radius = 0.48 * height;
  let seed = 7;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x - width / 2) / radius, (y - height / 2) / radius];
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      let value = 12;
      if (u * u + v * v < 1) {
        value = 150 - 40 * (u * u + v * v);
        for (let k = 1; k <= 8; k++) {
          const across = (v - (k - 4.5) * 0.2 * (1 + 0.5 * u * u)) / (0.004 * k);
          value -= 45 * Math.exp(-across * across);
        }
      }
      data[y * width + x] = value + ((seed >>> 24) - 128) / 24;
    }
  return data;
}

/** How the engine is opened for each column of the table. */
export const columnsOf = (backend, threads) => ({
  worker: { backend, threads, worker: true },
  here: { sync: true },
});
