// Faces with points that are known exactly: renders of the ICT Face Model Light (USC Institute for Creative Technologies, MIT
// license), read from the compact form `ict-face.bin`. No textures come with it: skin, brows, lips and hair are painted by place.
import { readFileSync } from 'node:fs';

const arrays = { '<f4': Float32Array, '<i2': Int16Array, '<u2': Uint16Array, '|u1': Uint8Array };

export function readModel(file) {
  const bytes = readFileSync(file);
  const begin = 12 + bytes.readUInt32LE(8);
  const header = JSON.parse(bytes.toString('utf8', 12, begin));
  const sections = {};
  for (const [name, type, shape, offset] of header.sections) {
    const length = shape.reduce((a, b) => a * b);
    const at = bytes.byteOffset + begin + offset;
    const size = length * arrays[type].BYTES_PER_ELEMENT;
    sections[name] = new arrays[type](bytes.buffer.slice(at, at + size));
  }
  // By its beginning: the rest of its name is spelled in another English.
  const eyes = header[Object.keys(header).find((key) => key.startsWith('eye'))];
  return { ...header, ...sections, eyes };
}

const gauss = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A person with an expression: positions of all vertices. */
function shapeOf({ neutral, scale, deltas, expressions }, random) {
  const out = Float32Array.from(neutral);
  const add = (k, weight) => {
    const from = k * neutral.length;
    for (let i = 0; i < neutral.length; i++) out[i] += weight * scale[k] * deltas[from + i];
  };
  for (let k = 0; k < 40; k++) add(k, 0.8 * gauss(random));
  const express = (names, weight) => names.forEach((name) => add(100 + expressions.indexOf(name), weight));
  if (random() < 0.4) express(['jawOpen'], 0.5 * random());
  if (random() < 0.5) express(['mouthSmile_L', 'mouthSmile_R'], 0.8 * random());
  if (random() < 0.3) express(['browInnerUp_L', 'browInnerUp_R'], random());
  if (random() < 0.3) express(['eyeSquint_L', 'eyeSquint_R'], 0.7 * random());
  return out;
}

/** Share of the light that each triangle gives back: by its place on the face that nobody has yet. */
function albedos(model, random) {
  const { neutral, tri, material, lists, eyes } = model;
  const skin = 0.5 + 0.3 * random();
  const [brow, lip, hair] = [0.45 * skin, 0.7 * skin, 0.12 + 0.3 * random() ** 2];
  const at = (index) => neutral.subarray(3 * index, 3 * index + 3);
  const marks = lists.landmarks68.map(at);
  const mouth = marks.slice(48, 60);
  const inMouth = (x, y) => {
    let inside = false;
    mouth.forEach(([ax, ay], i) => {
      const [bx, by] = mouth[(i + 1) % mouth.length];
      if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
    });
    return inside;
  };
  const toBrow = (x, y) => {
    let least = Infinity;
    for (let i = 17; i < 26; i++) {
      if (i === 21) continue;
      const [[ax, ay], [bx, by]] = [marks[i], marks[i + 1]];
      const t = Math.max(
        0,
        Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2)),
      );
      least = Math.min(least, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
    }
    return least;
  };
  const top = Math.max(...marks.slice(17, 27).map(([, y]) => y)) + 4;
  return Float32Array.from(material, (kind, t) => {
    const corners = [0, 1, 2].map((k) => at(tri[3 * t + k]));
    const [x, y, z] = [0, 1, 2].map((k) => (corners[0][k] + corners[1][k] + corners[2][k]) / 3);
    if (kind === 5) {
      // An iris of 6 mm radius about the axis of the eye.
      const [cx, cy, cz] = eyes[x > 0 ? 0 : 1];
      const across = Math.hypot(x - cx, y - cy);
      return z < cz || across > 0.6 ? 0.85 : across < 0.25 ? 0.02 : 0.2;
    }
    if (kind === 2) return 0.05;
    if (kind === 3) return 0.4 * skin;
    if (kind === 4) return 0.8;
    if (kind === 6) return 0.06;
    if (y > top || (kind === 1 && y > top - 9 && z < 0)) return hair;
    if (kind !== 0) return skin;
    if (toBrow(x, y) < 0.4) return brow;
    return z > 6 && inMouth(x, y) ? lip : skin;
  });
}

/**
 * A gray picture of `size` pixels a side with one face in it, 68 points in the order of iBUG and the pose.
 * @returns {{ image: { width, height, data: Uint8Array }, points: number[], yaw: number }}
 */
export function renderFace(model, random, { size = 160, yawMost = 0.35, part = 2 } = {}) {
  const { tri, lists, material } = model;
  const shape = shapeOf(model, random);
  const albedo = albedos(model, random);
  const [yaw, pitch, roll] = [yawMost, 0.15, 0.15].map((most) => most * (2 * random() - 1));
  const [cy, sy, cp, sp, cr, sr] = [yaw, pitch, roll].flatMap((a) => [Math.cos(a), Math.sin(a)]);
  const side = size * part;
  // About 60 units from the camera; a face of 17 units fills half of the picture.
  const zoom = (60 * side * (0.5 + 0.1 * random())) / 17;
  const [ox, oy] = [side * (0.5 + 0.06 * (random() - 0.5)), side * (0.5 + 0.06 * (random() - 0.5))];
  const count = shape.length / 3;
  const [px, py, depth, world] = [
    new Float32Array(count),
    new Float32Array(count),
    new Float32Array(count),
    new Float32Array(3 * count),
  ];
  for (let i = 0; i < count; i++) {
    const [x0, y0, z0] = [shape[3 * i], shape[3 * i + 1] - 1, shape[3 * i + 2]];
    const [x1, z1] = [cy * x0 + sy * z0, cy * z0 - sy * x0];
    const [y2, z2] = [cp * y0 - sp * z1, cp * z1 + sp * y0];
    const [x, y] = [cr * x1 - sr * y2, cr * y2 + sr * x1];
    world.set([x, y, z2], 3 * i);
    depth[i] = 60 - z2;
    px[i] = ox + (zoom * x) / depth[i];
    py[i] = oy - (zoom * y) / depth[i];
  }
  // Smooth shading: normals of vertices are the sums of their triangles'.
  const normals = new Float32Array(3 * count);
  const corner = (t, k) => 3 * tri[3 * t + k];
  for (let t = 0; t < material.length; t++) {
    const [a, b, c] = [corner(t, 0), corner(t, 1), corner(t, 2)];
    const edge = (to) => [0, 1, 2].map((k) => world[to + k] - world[a + k]);
    const [u, v] = [edge(b), edge(c)];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (const at of [a, b, c]) for (let k = 0; k < 3; k++) normals[at + k] += n[k];
  }
  const light = [1.4 * (random() - 0.5), 0.2 + 0.6 * random(), 1];
  const length = Math.hypot(...light);
  const [ambient, diffuse] = [0.3 + 0.2 * random(), 0.5 + 0.3 * random()];
  const shade = Float32Array.from({ length: count }, (_, i) => {
    const [x, y, z] = normals.subarray(3 * i, 3 * i + 3);
    const facing = (x * light[0] + y * light[1] + z * light[2]) / (length * (Math.hypot(x, y, z) || 1));
    return ambient + diffuse * Math.max(0, facing);
  });

  const [ground, slope] = [40 + 160 * random(), 60 * (random() - 0.5)];
  const levels = Float32Array.from({ length: side * side }, (_, i) => ground + slope * ((i % side) / side - 0.5));
  const nearest = new Float32Array(side * side).fill(Infinity);
  for (let t = 0; t < material.length; t++) {
    const [a, b, c] = [tri[3 * t], tri[3 * t + 1], tri[3 * t + 2]];
    const area = (px[b] - px[a]) * (py[c] - py[a]) - (px[c] - px[a]) * (py[b] - py[a]);
    if (area >= 0) continue; // turned away: y goes down in the picture
    const [left, right] = [Math.min(px[a], px[b], px[c]), Math.max(px[a], px[b], px[c])];
    const [top, bottom] = [Math.min(py[a], py[b], py[c]), Math.max(py[a], py[b], py[c])];
    for (let y = Math.max(0, Math.ceil(top)); y <= Math.min(side - 1, bottom); y++)
      for (let x = Math.max(0, Math.ceil(left)); x <= Math.min(side - 1, right); x++) {
        const wb = ((x - px[a]) * (py[c] - py[a]) - (px[c] - px[a]) * (y - py[a])) / area;
        const wc = ((px[b] - px[a]) * (y - py[a]) - (x - px[a]) * (py[b] - py[a])) / area;
        if (wb < 0 || wc < 0 || wb + wc > 1) continue;
        const z = depth[a] + wb * (depth[b] - depth[a]) + wc * (depth[c] - depth[a]);
        if (z >= nearest[y * side + x]) continue;
        nearest[y * side + x] = z;
        const lit = shade[a] + wb * (shade[b] - shade[a]) + wc * (shade[c] - shade[a]);
        levels[y * side + x] = 255 * albedo[t] * lit;
      }
  }
  const data = new Uint8Array(size * size);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      let sum = 0;
      for (let k = 0; k < part * part; k++)
        sum += levels[(part * y + Math.floor(k / part)) * side + part * x + (k % part)];
      data[y * size + x] = Math.min(255, Math.max(0, Math.round(sum / part ** 2 + 2 * gauss(random))));
    }
  // Pixel centers at integers in both: a sample of the fine picture lies at (i + 0.5) / part - 0.5 of the small one.
  const points = lists.landmarks68.flatMap((i) => [(px[i] + 0.5) / part - 0.5, (py[i] + 0.5) / part - 0.5]);
  return { image: { width: size, height: size, data }, points, yaw };
}
