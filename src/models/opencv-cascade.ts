/**
 * Reads OpenCV's cascades: the format of opencv_traincascade (`opencv-cascade-classifier`, Haar features) and the older
 * format (`opencv-haar-classifier`). Their numbers have the same meaning. Only the structure differs.
 */
import { checkCascade, limits, type Branch, type Cascade, type CascadeNode, type HaarRectangle } from './cascade.ts';
import { wrongFormat } from './container.ts';

/**
 * The subset of XML that OpenCV writes: elements, text, comments, a prologue. A worker has no DOM. A reader of
 * untrusted files is also safer without entities, DTDs and namespaces. A DOCTYPE is rejected, and attributes are stored
 * only as text.
 */

export interface XmlElement {
  readonly name: string;
  readonly attributes: string;
  readonly children: XmlElement[];
  text: string;
}

const DEPTH = 32;
/**
 * Maximum number of elements: ten for each of about fifty thousand nodes. The largest cascade in use has a tenth of
 * them.
 */
const ELEMENTS = 1 << 19;
/** Maximum number of characters in one element. Sixty-four nodes of four numbers need half of it. */
const TEXT = 1 << 14;

const tooLarge = () => wrongFormat('The XML is far larger than any cascade.');

/** Rejects a source before any element is made, by its number of '<' and by the sizes that it declares. */
function checkSize(source: string): void {
  let marks = 0;
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', at + 1))
    if (++marks > 2 * ELEMENTS) throw tooLarge();
  let declared = 0;
  for (const [, count] of source.matchAll(/<(?:stageNum|maxWeakCount)>\s*(\d+)/g)) declared += Number(count);
  if (declared > ELEMENTS) throw tooLarge();
}

/** Returns the root element, and the comments before it. */
export function parseXml(source: string): { root: XmlElement; comments: string[] } {
  checkSize(source);
  const comments: string[] = [];
  const open: XmlElement[] = [{ name: '', attributes: '', children: [], text: '' }];
  let elements = 0;
  let at = source.charCodeAt(0) === 0xfeff ? 1 : 0;
  const to = (mark: string, from: number) => {
    const end = source.indexOf(mark, from);
    if (end < 0) throw wrongFormat(`The XML is cut short: '${mark}' is missing at its end.`);
    return end;
  };
  while (at < source.length) {
    const next = source.indexOf('<', at);
    const end = next < 0 ? source.length : next;
    const inside = open[open.length - 1]!;
    if (end > at && /\S/.test(source.slice(at, end))) {
      if (open.length === 1) throw wrongFormat('This is not XML: text is outside of its elements.');
      if (inside.text.length + end - at > TEXT) throw tooLarge();
      inside.text += source.slice(at, end).trim();
    }
    if (next < 0) break;
    if (source.startsWith('<!--', next)) {
      at = to('-->', next + 4) + 3;
      if (open.length === 1 && inside.children.length === 0) comments.push(source.slice(next + 4, at - 3).trim());
    } else if (source.startsWith('<?', next)) at = to('?>', next) + 2;
    else if (source.startsWith('<!', next)) throw wrongFormat('The XML has a DOCTYPE or CDATA, which no cascade has.');
    else {
      const close = to('>', next);
      at = close + 1;
      if (source[next + 1] === '/') {
        if (open.length === 1 || source.slice(next + 2, close).trim() !== inside.name)
          throw wrongFormat(
            `The XML closes <${source.slice(next + 2, Math.min(close, next + 40))}>, which is not open.`,
          );
        open.pop();
        continue;
      }
      const empty = source[close - 1] === '/';
      const [, name, attributes] =
        /^([\w.:-]+)\s*([^]*)$/.exec(source.slice(next + 1, empty ? close - 1 : close)) ?? [];
      if (!name) throw wrongFormat('The XML has an element without a name.');
      if (++elements > ELEMENTS || open.length > DEPTH) throw tooLarge();
      const element: XmlElement = { name, attributes: attributes!, children: [], text: '' };
      inside.children.push(element);
      if (!empty) open.push(element);
    }
  }
  const roots = open[0]!.children;
  if (open.length > 1) throw wrongFormat(`The XML is cut short: <${open[open.length - 1]!.name}> is not closed.`);
  if (roots.length !== 1) throw wrongFormat('The XML needs one root element.');
  return { root: roots[0]!, comments };
}

export const child = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((c) => c.name === name);

/** Returns the child with this name. Throws 'model-format' if it is missing. */
export function need(element: XmlElement, name: string): XmlElement {
  const found = child(element, name);
  if (!found) throw wrongFormat(`The cascade's <${element.name}> has no <${name}>.`);
  return found;
}

/** Returns all numbers in an element's text. */
export function numbers(element: XmlElement): number[] {
  if (element.text === '') return [];
  return element.text.split(/\s+/).map((word) => {
    const value = Number(word);
    if (word === '' || !Number.isFinite(value))
      throw wrongFormat(`The cascade's <${element.name}> has '${word.slice(0, 40)}' where a number belongs.`);
    return value;
  });
}

/** @throws {FoveolaError} 'model-format' */
export function readCascadeXml(source: string): Cascade {
  const { root, comments } = parseXml(source);
  const cascade = root.children.find((c) => /opencv-(cascade|haar)-classifier/.test(c.attributes));
  if (root.name !== 'opencv_storage' || !cascade)
    throw wrongFormat('This XML is not an OpenCV cascade. Use an opencv-cascade-classifier or opencv-haar-classifier.');
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
  if (type !== 'HAAR') throw wrongFormat(`The cascade has ${type} features. Only HAAR is supported.`);
  const features = need(cascade, 'features').children.map((feature) => ({
    rectangles: rectanglesOf(feature),
    tilted: isTilted(feature),
  }));
  let total = 0;
  const tree = (weak: XmlElement): CascadeNode[] => {
    // Each node has left, right, feature and threshold. A positive left or right is a node, otherwise minus the index
    // of a leaf.
    const internal = numbers(need(weak, 'internalNodes'));
    const leaves = numbers(need(weak, 'leafValues'));
    // Check before making nodes: 8 MiB of numbers can hold two million nodes.
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
      // A stage may have a parent other than the previous stage. This is a tree of stages, which no cascade in use has.
      if (child(stage, 'parent') && value(stage, 'parent') !== i - 1)
        throw wrongFormat('The cascade is a tree of stages. Only a sequence of stages is supported.');
      return {
        threshold: value(stage, 'stage_threshold'),
        trees: need(stage, 'trees').children.map((tree) => tree.children.map(node)),
      };
    }),
  };
}
