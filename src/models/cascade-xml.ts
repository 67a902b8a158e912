/**
 * Reads the cascades of OpenCV: the format of opencv_traincascade (`opencv-cascade-classifier`, Haar features) and the
 * one before it (`opencv-haar-classifier`). Their numbers have the same meaning, only the arrangement differs.
 */
import { checkCascade, limits, type Branch, type Cascade, type CascadeNode, type HaarRectangle } from './cascade.ts';
import { wrongFormat } from './container.ts';
import { child, need, numbers, parseXml, type XmlElement } from './xml.ts';

/** @throws {FoveolaError} 'model-format' */
export function readCascadeXml(source: string): Cascade {
  const { root, comments } = parseXml(source);
  const cascade = root.children.find((c) => /opencv-(cascade|haar)-classifier/.test(c.attributes));
  if (root.name !== 'opencv_storage' || !cascade)
    throw wrongFormat(
      'This XML is no OpenCV cascade: an opencv-cascade-classifier or opencv-haar-classifier is needed.',
    );
  const old = cascade.attributes.includes('opencv-haar-classifier');
  return checkCascade({ ...(old ? readOld(cascade) : readNew(cascade)), notice: comments.join('\n\n') });
}

const value = (element: XmlElement, name: string): number => {
  const found = numbers(need(element, name));
  if (found.length !== 1) throw wrongFormat(`The cascade's <${name}> needs one number.`);
  return found[0]!;
};

function rectanglesOf(element: XmlElement): HaarRectangle[] {
  return need(element, 'rects').children.map((rect) => {
    const [x, y, width, height, weight, ...more] = numbers(rect);
    if (weight === undefined || more.length) throw wrongFormat('A rectangle of the cascade needs five numbers.');
    return { x: x!, y: y!, width: width!, height: height!, weight };
  });
}

const isTilted = (element: XmlElement) => (child(element, 'tilted') ? value(element, 'tilted') !== 0 : false);

function readNew(cascade: XmlElement): Omit<Cascade, 'notice'> {
  const type = need(cascade, 'featureType').text;
  if (type !== 'HAAR') throw wrongFormat(`The cascade has ${type} features; only HAAR is read.`);
  const features = need(cascade, 'features').children.map((feature) => ({
    rectangles: rectanglesOf(feature),
    tilted: isTilted(feature),
  }));
  let total = 0;
  const tree = (weak: XmlElement): CascadeNode[] => {
    // Per node: left, right, feature, threshold; a positive side is a node, else minus the number of a leaf.
    const internal = numbers(need(weak, 'internalNodes'));
    const leaves = numbers(need(weak, 'leafValues'));
    // Before nodes are made of the numbers: 8 MiB of them are two million.
    const { length } = internal;
    if (length > 4 * limits.nodes || (total += length / 4) > limits.total)
      throw wrongFormat('A tree of the cascade has far too many nodes.');
    if (internal.length % 4) throw wrongFormat("The cascade's <internalNodes> needs four numbers a node.");
    const branch = (side: number): Branch => (side > 0 ? { node: side } : { leaf: leaves[-side] ?? NaN });
    return Array.from({ length: internal.length / 4 }, (_, i) => {
      const [left, right, index, threshold] = internal.slice(4 * i, 4 * i + 4);
      const feature = features[index!];
      if (!feature) throw wrongFormat(`The cascade has no feature ${index}.`);
      return { ...feature, threshold: threshold!, left: branch(left!), right: branch(right!) };
    });
  };
  return {
    width: value(cascade, 'width'),
    height: value(cascade, 'height'),
    stages: need(cascade, 'stages').children.map((stage) => ({
      threshold: value(stage, 'stageThreshold'),
      trees: need(stage, 'weakClassifiers').children.map(tree),
    })),
  };
}

function readOld(cascade: XmlElement): Omit<Cascade, 'notice'> {
  const [width, height] = numbers(need(cascade, 'size'));
  const node = (element: XmlElement): CascadeNode => {
    const feature = need(element, 'feature');
    const branch = (side: string): Branch =>
      child(element, `${side}_node`)
        ? { node: value(element, `${side}_node`) }
        : { leaf: value(element, `${side}_val`) };
    return {
      rectangles: rectanglesOf(feature),
      tilted: isTilted(feature),
      threshold: value(element, 'threshold'),
      left: branch('left'),
      right: branch('right'),
    };
  };
  return {
    width: width ?? NaN,
    height: height ?? NaN,
    stages: need(cascade, 'stages').children.map((stage, i) => {
      // A stage may have another parent than the one before it: a tree of stages, which nothing in use has.
      if (child(stage, 'parent') && value(stage, 'parent') !== i - 1)
        throw wrongFormat('The cascade is a tree of stages; only stages in a row are read.');
      return {
        threshold: value(stage, 'stage_threshold'),
        trees: need(stage, 'trees').children.map((tree) => tree.children.map(node)),
      };
    }),
  };
}
