// A fundus photograph that never was: field of view, optic disc, macula, and vessels that branch, from a fixed seed.
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const disc = { x: 0.32, y: 0.48 };

function glow(context, x, y, radius, stops) {
  const gradient = context.createRadialGradient(x, y, 0, x, y, radius);
  for (const [at, color] of stops) gradient.addColorStop(at, color);
  context.fillStyle = gradient;
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
}

/** Bends towards `aim`, tapers, and gives off branches; `width` in pixels. */
function vessel(context, next, { x, y, angle, aim, width, steps, depth, bend, macula }) {
  const step = 2.2 + 0.35 * width;
  for (let i = 0; i < steps; i++) {
    angle += bend * Math.sin(aim - angle) + 0.13 * (next() - 0.5);
    const [x1, y1] = [x + step * Math.cos(angle), y + step * Math.sin(angle)];
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x1, y1);
    context.stroke();
    [x, y] = [x1, y1];
    width *= 0.996;
    if (depth > 0 && i > 8 && next() < 0.045) {
      // Most branches lead away from the macula, which they must not cross.
      const outward = Math.sin(angle - Math.atan2(macula[1] - y, macula[0] - x)) > 0 ? 1 : -1;
      const side = next() < 0.75 ? outward : -outward;
      const turn = side * (0.45 + 0.4 * next());
      const from = { x, y, angle: angle + turn, aim: angle + 0.9 * turn, bend: 0.01, macula };
      const inwards = side === outward ? 0.5 : 0.22;
      vessel(context, next, { ...from, width: width * (0.5 + 0.2 * next()), steps: steps * inwards, depth: depth - 1 });
      angle -= 0.12 * turn;
    }
    if (width < 1) return;
  }
}

/** @returns {HTMLCanvasElement} */
export function drawFundus(width = 900, height = 900, seed = 7) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const next = random(seed);
  const size = Math.min(width, height);
  const [left, top] = [(width - size) / 2, (height - size) / 2];
  const at = (x, y) => [left + x * size, top + y * size];
  const field = 0.47 * size;

  context.fillStyle = '#040303';
  context.fillRect(0, 0, width, height);
  context.save();
  context.beginPath();
  context.arc(width / 2, height / 2, field, 0, 2 * Math.PI);
  context.clip();
  glow(context, ...at(0.48, 0.48), 0.62 * size, [
    [0, '#d9772f'],
    [0.55, '#c7612a'],
    [1, '#8a3417'],
  ]);
  glow(context, ...at(disc.x, disc.y), 0.19 * size, [
    [0, 'rgb(255 205 120 / 55%)'],
    [1, 'rgb(255 190 110 / 0%)'],
  ]);
  glow(context, ...at(0.62, 0.52), 0.14 * size, [
    [0, 'rgb(90 24 10 / 55%)'],
    [1, 'rgb(90 24 10 / 0%)'],
  ]);
  glow(context, ...at(disc.x, disc.y), 0.075 * size, [
    [0, '#fff0b8'],
    [0.6, '#ffd98a'],
    [0.9, '#f4ad5c'],
    [1, 'rgb(240 150 80 / 0%)'],
  ]);

  context.lineCap = 'round';
  const unit = size / 900;
  const [x, y] = at(disc.x, disc.y);
  const macula = at(0.62, 0.52);
  // Arteries are brighter and narrower than the veins beside them.
  for (const [angle, aim, thick, bend, color] of [
    [-1.25, 0.55, 12, 0.021, '#7a1c12'],
    [-1.0, 0.35, 9, 0.014, '#96281a'],
    [1.25, -0.55, 12, 0.021, '#7a1c12'],
    [1.0, -0.35, 9, 0.014, '#96281a'],
    [-2.0, -2.5, 8, 0.02, '#7a1c12'],
    [2.1, 2.6, 8, 0.02, '#7a1c12'],
    [-1.7, -1.4, 6, 0.02, '#96281a'],
    [1.75, 1.4, 6, 0.02, '#96281a'],
    [-0.5, -0.1, 3.5, 0.02, '#96281a'],
    [0.5, 0.1, 3.5, 0.02, '#8a2216'],
    [3.1, 3.1, 5, 0.02, '#8a2216'],
  ]) {
    context.strokeStyle = color;
    const steps = thick < 4 ? 34 : 150;
    vessel(context, next, { x, y, angle, aim, width: thick * unit, steps, depth: thick < 4 ? 0 : 3, bend, macula });
  }
  context.restore();

  // The grain of a sensor.
  const picture = context.getImageData(0, 0, width, height);
  const { data } = picture;
  for (let i = 0; i < data.length; i += 4) {
    const noise = 9 * (next() + next() - 1);
    for (let c = 0; c < 3; c++) data[i + c] += noise;
  }
  context.putImageData(picture, 0, 0);
  return canvas;
}
