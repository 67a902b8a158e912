/**
 * A cascade of boosted classifiers over Haar-like features (Viola and Jones, and thesis, section 4.3.2), and its
 * compact form. A stage passes if the sum of its trees reaches the threshold. A tree branches right if the feature,
 * divided by area and standard deviation of the window, reaches the node's threshold.
 */
import { ModelReader, ModelWriter, packModel, unpackModel, wrongFormat } from './container.ts';

/** Pixels within the window, and the weight of their sum. */
export interface HaarRectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly weight: number;
}

/** Next step of a tree: another node, always a later one, or a leaf. */
export type Branch = { readonly node: number } | { readonly leaf: number };

export interface CascadeNode {
  readonly rectangles: readonly HaarRectangle[];
  /** Whether the rectangles are turned by 45 degrees. */
  readonly tilted: boolean;
  readonly threshold: number;
  readonly left: Branch;
  readonly right: Branch;
}

export interface CascadeStage {
  readonly threshold: number;
  readonly trees: readonly (readonly CascadeNode[])[];
}

export interface Cascade {
  /** Size in pixels of the window that the features were trained for. */
  readonly width: number;
  readonly height: number;
  readonly stages: readonly CascadeStage[];
  /** License and origin. */
  readonly notice: string;
}

export const limits = { stages: 256, trees: 4096, nodes: 64, total: 200_000 };
const isSide = (v: number) => Number.isInteger(v) && v >= 4 && v <= 255;

/** Checks every number of a cascade and returns the cascade. @throws {FoveolaError} 'model-format' */
export function checkCascade(cascade: Cascade): Cascade {
  const { width, height, stages } = cascade;
  if (!isSide(width) || !isSide(height))
    throw wrongFormat(`The cascade's window is ${width}x${height}. Width and height must be 4 to 255.`);
  if (stages.length < 1 || stages.length > limits.stages)
    throw wrongFormat(`The cascade has ${stages.length} stages. It must have 1 to ${limits.stages}.`);
  const inside = ({ x, y, width: w, height: h, weight }: HaarRectangle) =>
    [x, y, w, h].every((v) => Number.isInteger(v) && v >= 0) && w > 0 && h > 0 && Number.isFinite(weight);
  let total = 0;
  for (const { threshold, trees } of stages) {
    if (!Number.isFinite(threshold) || trees.length < 1 || trees.length > limits.trees)
      throw wrongFormat('A stage of the cascade has no trees, far too many, or no threshold.');
    for (const nodes of trees) {
      total += nodes.length;
      if (nodes.length < 1 || nodes.length > limits.nodes || total > limits.total)
        throw wrongFormat('A tree of the cascade has no nodes, or far too many.');
      nodes.forEach(({ rectangles, tilted, threshold, left, right }, i) => {
        const fits = (r: HaarRectangle) =>
          inside(r) && (tilted || (r.x + r.width <= width && r.y + r.height <= height));
        if (rectangles.length < 1 || rectangles.length > 3 || !rectangles.every(fits) || !Number.isFinite(threshold))
          throw wrongFormat('A feature of the cascade needs 1 to 3 rectangles within the window, and a threshold.');
        for (const branch of [left, right]) {
          const good = 'leaf' in branch ? Number.isFinite(branch.leaf) : branch.node > i && branch.node < nodes.length;
          if (!good) throw wrongFormat('A tree of the cascade does not lead from its root to its leaves.');
        }
      });
    }
  }
  return cascade;
}

export function packCascade(cascade: Cascade): Uint8Array<ArrayBuffer> {
  checkCascade(cascade);
  const out = new ModelWriter();
  out.u16(cascade.width);
  out.u16(cascade.height);
  out.u32(cascade.stages.length);
  for (const { threshold, trees } of cascade.stages) {
    out.f32(threshold);
    out.u32(trees.length);
    for (const nodes of trees) {
      out.u8(nodes.length);
      for (const { rectangles, tilted, threshold, left, right } of nodes) {
        out.u8(rectangles.length | (tilted ? 128 : 0));
        for (const { x, y, width, height, weight } of rectangles) {
          [x, y, width, height].forEach(out.u8);
          out.f32(weight);
        }
        out.f32(threshold);
        for (const branch of [left, right]) {
          out.i8('leaf' in branch ? -1 : branch.node);
          if ('leaf' in branch) out.f32(branch.leaf);
        }
      }
    }
  }
  return packModel('cascade', out.done(), cascade.notice);
}

/** @throws {FoveolaError} 'model-format', 'model-checksum' */
export function unpackCascade(bytes: Uint8Array): Cascade {
  const { payload, notice } = unpackModel(bytes, 'cascade');
  const from = new ModelReader(payload);
  /** Checks a count against the remaining bytes, so that no memory is allocated just because of a number in a file. */
  const count = (n: number, bytesEach: number, most: number) => {
    if (n * bytesEach > from.left || n > most) throw wrongFormat('The cascade announces more than it holds.');
    return n;
  };
  let total = 0;
  const list = <T>(n: number, make: () => T): T[] => Array.from({ length: n }, make);
  const branch = (): Branch => {
    const node = from.i8();
    return node < 0 ? { leaf: from.f32() } : { node };
  };
  const node = (): CascadeNode => {
    const shape = from.u8();
    const rectangles = list(shape & 127, () => {
      const [x, y, width, height] = [from.u8(), from.u8(), from.u8(), from.u8()];
      return { x, y, width, height, weight: from.f32() };
    });
    return { rectangles, tilted: shape > 127, threshold: from.f32(), left: branch(), right: branch() };
  };
  const width = from.u16();
  const height = from.u16();
  const stages = list(count(from.u32(), 8, limits.stages), () => ({
    threshold: from.f32(),
    trees: list(count(from.u32(), 20, limits.trees), () => {
      const nodes = from.u8();
      if ((total += nodes) > limits.total) throw wrongFormat('The cascade has far too many nodes.');
      return list(nodes, node);
    }),
  }));
  if (from.left) throw wrongFormat(`The cascade ends ${from.left} bytes before the file does.`);
  return checkCascade({ width, height, stages, notice });
}
