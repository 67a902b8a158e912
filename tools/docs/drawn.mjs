// What an operation gave, as a picture: images as they are, maps by their range, lists drawn over what they were found in.
export const svgOf = (width, height, shapes) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g fill="none" stroke="#00d5ff"
    stroke-width="${Math.max(2, width / 200)}">${shapes.join('')}</g></svg>`);

const dot = (x, y, r = 2) => `<circle cx="${x}" cy="${y}" r="${r}" fill="#ffd54f" stroke="none"/>`;
const box = ({ x, y, width, height }) => `<rect x="${x}" y="${y}" width="${width}" height="${height}"/>`;
const pairs = (list) => Array.from({ length: list.length / 2 }, (_, i) => [list[2 * i], list[2 * i + 1]]);

/** Gray by the range of the values, the darkest for the least; a hundredth at either end is as dark or bright as can be. */
function mapped(values, width, height) {
  const sorted = Float64Array.from(values).sort();
  const [least, most] = [0.01, 0.99].map((share) => sorted[Math.floor(share * (sorted.length - 1))]);
  const gray = (value) => Math.max(0, Math.min(255, (255 * (value - least)) / (most - least || 1)));
  return { width, height, data: Uint8Array.from(values, gray) };
}

function line({ rho, theta }, { width, height }) {
  const [c, s] = [Math.cos(theta), Math.sin(theta)];
  const reach = width + height;
  const at = (t) => [c * rho - s * t, s * rho + c * t];
  const [[x1, y1], [x2, y2]] = [at(-reach), at(reach)];
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

const arrow = ([x1, y1], [x2, y2]) =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#ffd54f"/>${dot(x2, y2, 1.8)}`;

const shapesOf = {
  rho: (list, image) => list.map((one) => line(one, image)),
  r: (list) => list.map(({ x, y, r }) => `<circle cx="${x}" cy="${y}" r="${r}"/>`),
  width: (list) => list.map(box),
  ellipse: (list) =>
    list.flatMap(({ ellipse }) =>
      ellipse
        ? `<ellipse cx="${ellipse.x}" cy="${ellipse.y}" rx="${ellipse.major / 2}" ry="${ellipse.minor / 2}"
            transform="rotate(${(ellipse.angle * 180) / Math.PI} ${ellipse.x} ${ellipse.y})"/>${dot(ellipse.x, ellipse.y)}`
        : [],
    ),
};

function listShapes(list, image) {
  if (ArrayBuffer.isView(list[0]))
    return list.flatMap((points) => pairs(points).map(([x, y]) => dot(x, y, Math.max(1.6, image.width / 150))));
  const kind = Object.keys(shapesOf).find((key) => list[0]?.[key] !== undefined);
  if (!kind) throw new Error('nothing was found that could be drawn');
  return shapesOf[kind](list, image);
}

function flowShapes({ width, height, u, v }) {
  const step = Math.round(width / 22);
  const shapes = [];
  for (let y = step; y < height; y += step)
    for (let x = step; x < width; x += step) {
      const i = y * width + x;
      shapes.push(arrow([x, y], [x + 2 * u[i], y + 2 * v[i]]));
    }
  return shapes;
}

export function tinted(mask) {
  const { width, height, data } = mask;
  const rgba = Buffer.alloc(4 * width * height);
  for (let i = 0; i < data.length; i++) if (data[i]) rgba.set([0, 213, 255, 190], 4 * i);
  return { width, height, data: rgba };
}

const labeled = ({ width, height, labels }) => ({
  ...{ width, height },
  data: Uint8Array.from(labels, (label) => (label ? 60 + ((label * 67) % 190) : 0)),
});

/** Levels of a pyramid side by side. */
function sideBySide(levels) {
  const width = levels.reduce((sum, level) => sum + level.width, 0);
  const { height } = levels[0];
  const data = new Uint8Array(width * height);
  let left = 0;
  for (const level of levels) {
    for (let y = 0; y < level.height; y++)
      data.set(level.data.subarray(y * level.width, (y + 1) * level.width), y * width + left);
    left += level.width;
  }
  return { width, height, data };
}

const circleOf = ({ x, y, radius }) => `<circle cx="${x}" cy="${y}" r="${radius ?? 12}"/>${dot(x, y, 4)}`;

/**
 * @param given  what the example had: its image, and for points their places
 * @returns { image: { width, height, data } }, or { over, on }: bytes of an SVG or { width, height, data } in RGBA over the
 *   given image or another
 */
export function drawn(result, given) {
  const { width, height } = given.image;
  const over = (shapes) => ({ over: svgOf(width, height, shapes) });
  if (Array.isArray(result) && result[0]?.data) return { image: sideBySide(result) };
  if (Array.isArray(result)) return over(listShapes(result, given.image));
  if (result.pupils) return over(listShapes(result.pupils, given.image));
  if (result.faces)
    return over(result.faces.flatMap((face) => [box(face), ...listShapes([face.landmarks], given.image)]));
  if (result.targets) return { ...over([box(result.box)]), on: given.next };
  if (result.mask) return { over: tinted(result.mask) };
  if (result.status)
    return over(pairs(given.points).map((from, i) => arrow(from, pairs(result.points)[i])).filter((_, i) => result.status[i])); // prettier-ignore
  if (result.u) return over(flowShapes(result));
  if (result.disc !== undefined) return over([result.disc, result.fovea].filter(Boolean).map(circleOf));
  if (result.labels) return { image: labeled(result) };
  const map = result.lambda2 ?? result.response ?? result.sum;
  return { image: map ? mapped(map, result.width, result.height) : result };
}
