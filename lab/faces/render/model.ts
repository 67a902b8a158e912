/**
 * The ICT Face Model Light (USC Institute for Creative Technologies, MIT license) in the compact form of extract.mjs: one mesh
 * of head, eyes, teeth and lashes, 100 modes of identity and 53 expressions as differences. Unit: about 1 cm; +x is the
 * person's left, +y up, +z out of the face.
 */

export interface FaceModel {
  /** Vertices. */
  count: number;
  neutral: Float32Array;
  scale: Float32Array;
  deltas: Int16Array;
  triangles: Uint16Array;
  /** Of each triangle: one of `Part`'s first seven. */
  material: Uint8Array;
  identities: number;
  expressions: string[];
  landmarks: number[];
  /** Vertices that points 31 and 35 lie on. */
  wings: number[];
  /** For each of the 17 points of the jaw the vertices from the anatomical jaw to the front of the cheek. */
  jawCandidates: number[][];
  /** [a, b, weight]: point a moves by this share towards point b, to where annotators place it. */
  labelFix: [number, number, number][];
  /** Centers of the left and the right eye in the neutral mesh. */
  eyes: [number, number, number][];
  /** Range of vertices of the skin: face, head and neck. */
  skinEnd: number;
}

const MAGIC = 0x46544349; // 'ICTF'
const arrays = { '<f4': Float32Array, '<i2': Int16Array, '<u2': Uint16Array, '|u1': Uint8Array };
type Section = [name: string, type: keyof typeof arrays, shape: number[], offset: number];

/** @throws Error when the bytes are not such a model */
export function readModel(bytes: Uint8Array): FaceModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== 1)
    throw new Error('This is no face model of version 1; give the ict-face.bin that extract.mjs writes.');
  const begin = 12 + view.getUint32(8, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(12, begin)));
  const section = <T>(name: string): T => {
    const [, type, shape, offset] = (header.sections as Section[]).find(([one]) => one === name)!;
    const from = bytes.byteOffset + begin + offset;
    const make = arrays[type];
    const size = shape.reduce((a, b) => a * b) * make.BYTES_PER_ELEMENT;
    return new make(bytes.buffer.slice(from, from + size) as ArrayBuffer) as T;
  };
  const ranges = header.vertexRanges as [string, number, number][];
  return {
    count: header.vertices,
    neutral: section('neutral'),
    scale: section('scale'),
    deltas: section('deltas'),
    triangles: section('tri'),
    material: section('material'),
    identities: header.identities,
    expressions: header.expressions,
    landmarks: header.lists.landmarks68,
    wings: header.lists.noseWing31_35,
    jawCandidates: header.jawCandidates,
    labelFix: header.labelFix,
    // By its beginning: the rest of its name is spelled in another English.
    eyes: header[Object.keys(header).find((key) => key.startsWith('eye'))!],
    skinEnd: ranges.find(([name]) => name === 'headNeck')![2],
  };
}
