// Extracts the compact face model from the files of the ICT Face Model Light (github.com/ICT-VGL/ICT-FaceKit, folder FaceXModel,
// MIT license: its notice has to travel with the model):
//   node lab/faces/render/extract.mjs FaceXModel ict-face.bin
// Whatever identities and expressions lie in the folder are taken. Left out are molars, sockets and inner meshes of the eyes,
// tears, and texture coordinates, which nothing here needs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

/** Vertices of the kit that stay: name, from, to, material (Part in scene.ts). */
const KEPT = [
  ['face', 0, 9409, 0],
  ['headNeck', 9409, 11248, 1],
  ['mouthSocket', 11248, 13294, 2],
  ['gumsTongue', 14062, 17039, 3],
  ['teeth', 17607, 18679, 4],
  ['teeth', 19814, 20884, 4],
  ['eyeLeft', 21451, 22221, 5],
  ['eyeRight', 23021, 23791, 5],
  ['eyelashes', 25351, 26719, 6],
];
const VERTICES = 26719;

/** Positions, and when `faces` polygons of vertex numbers, with whether they are the face's own. */
function readObj(file, faces = false) {
  const [positions, polygons] = [[], []];
  let face = false;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [kind, ...rest] = line.trim().split(/\s+/);
    if (kind === 'v') for (let k = 0; k < 3; k++) positions.push(Number(rest[k]));
    else if (kind === 'usemtl') face = rest[0] === 'M_Face';
    else if (kind === 'f' && faces) polygons.push({ face, corners: rest.map((corner) => parseInt(corner, 10) - 1) });
  }
  if (positions.length !== 3 * VERTICES)
    throw new Error(`${file} has ${positions.length / 3} vertices, not the ${VERTICES} of the ICT Face Model Light.`);
  return { positions, polygons };
}

/** The bytes of the compact model (its layout: model.ts). */
export function extractModel(folder) {
  const indices = path.join(folder, 'vertex_indices.json');
  if (!existsSync(indices))
    throw new Error(`${folder} has no vertex_indices.json; give the folder FaceXModel of ICT-FaceKit.`);
  const known = JSON.parse(readFileSync(indices, 'utf8'));
  const additions = JSON.parse(readFileSync(fileURLToPath(new URL('./additions.json', import.meta.url)), 'utf8'));
  const numberOf = new Int32Array(VERTICES).fill(-1);
  const [materialOf, vertexRanges] = [[], []];
  for (const [name, from, to, material] of KEPT) {
    const start = materialOf.length;
    for (let v = from; v < to; v++) numberOf[v] = materialOf.push(material) - 1;
    const last = vertexRanges.at(-1);
    if (last?.[0] === name) last[2] = materialOf.length;
    else vertexRanges.push([name, start, materialOf.length]);
  }
  const compact = (positions) => {
    const out = new Float32Array(3 * materialOf.length);
    numberOf.forEach((to, from) => {
      for (let k = 0; to >= 0 && k < 3; k++) out[3 * to + k] = positions[3 * from + k];
    });
    return out;
  };
  const { positions, polygons } = readObj(path.join(folder, 'generic_neutral_mesh.obj'), true);
  const neutral = compact(positions);
  const [tri, material] = [[], []];
  for (const polygon of polygons) {
    const corners = polygon.corners.map((v) => numberOf[v]);
    if (corners.includes(-1)) continue;
    for (let k = 1; k + 1 < corners.length; k++) {
      tri.push(corners[0], corners[k], corners[k + 1]);
      material.push(polygon.face ? 0 : Math.max(...corners.map((v) => materialOf[v])));
    }
  }
  const there = (name) => existsSync(path.join(folder, `${name}.obj`));
  const identities = Array.from({ length: 100 }, (_, i) => `identity${String(i).padStart(3, '0')}`).filter(there);
  const expressions = known.expressions.filter(there);
  const names = [...identities, ...expressions];
  const scale = new Float32Array(names.length);
  const deltas = new Int16Array(names.length * neutral.length);
  names.forEach((name, k) => {
    const moved = compact(readObj(path.join(folder, `${name}.obj`)).positions).map((v, i) => v - neutral[i]);
    const most = moved.reduce((a, b) => Math.max(a, Math.abs(b)), 1e-9);
    scale[k] = most / 32767;
    for (let i = 0; i < moved.length; i++) deltas[k * neutral.length + i] = Math.round((moved[i] / most) * 32767);
  });
  const { noseWing31_35, ...rest } = additions;
  return pack(
    {
      vertices: materialOf.length,
      identities: identities.length,
      expressions,
      triangles: material.length,
      lists: { landmarks68: Object.values(known.idx_to_landmark_verts), noseWing31_35 },
      ...rest,
      vertexRanges,
    },
    [
      ['neutral', '<f4', [materialOf.length, 3], neutral],
      ['scale', '<f4', [names.length], scale],
      ['deltas', '<i2', [names.length, materialOf.length, 3], deltas],
      ['tri', '<u2', [material.length, 3], Uint16Array.from(tri)],
      ['material', '|u1', [material.length], Uint8Array.from(material)],
    ],
  );
}

const padded = (length) => Math.ceil(length / 4) * 4;

function pack(header, arrays) {
  let offset = 0;
  const sections = arrays.map(([name, type, shape, values]) => {
    const section = [name, type, shape, offset];
    offset += padded(values.byteLength);
    return section;
  });
  const text = Buffer.from(JSON.stringify({ ...header, sections }));
  const begin = 12 + padded(text.length);
  const out = Buffer.alloc(begin + offset, 0);
  out.write('ICTF', 0, 'latin1');
  out.writeUInt32LE(1, 4);
  out.writeUInt32LE(begin - 12, 8);
  out.fill(32, 12, begin);
  out.set(text, 12);
  arrays.forEach(([, , , { buffer, byteLength }], i) =>
    out.set(new Uint8Array(buffer, 0, byteLength), begin + sections[i][3]),
  );
  return out;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, file] = process.argv.slice(2);
  if (!file) throw new Error('Two names are needed: node lab/faces/render/extract.mjs FaceXModel ict-face.bin');
  const bytes = extractModel(folder);
  writeFileSync(file, bytes);
  console.log(`${file}: ${bytes.length} bytes`);
}
