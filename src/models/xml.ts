/**
 * The subset of XML that OpenCV writes: elements, text, comments, a prologue. There is no DOM in a worker, and a reader
 * of files from anywhere is safer without entities, DTDs and namespaces: a DOCTYPE is refused, attributes are kept only
 * as text.
 */
import { wrongFormat } from './container.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: string;
  readonly children: XmlElement[];
  text: string;
}

const DEPTH = 32;
/** Ten for each of some fifty thousand nodes; the largest cascade in use has a tenth of them. */
const ELEMENTS = 1 << 19;
/** Characters in one element: sixty-four nodes of four numbers take half of it. */
const TEXT = 1 << 14;

const tooLarge = () => wrongFormat('The XML is far larger than any cascade.');

/** Refused before an element is made of it: what it announces of itself, and what it has marks for. */
function checkSize(source: string): void {
  let marks = 0;
  for (let at = source.indexOf('<'); at >= 0; at = source.indexOf('<', at + 1))
    if (++marks > 2 * ELEMENTS) throw tooLarge();
  let declared = 0;
  for (const [, count] of source.matchAll(/<(?:stageNum|maxWeakCount)>\s*(\d+)/g)) declared += Number(count);
  if (declared > ELEMENTS) throw tooLarge();
}

/** The root element, and the comments before it. */
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
      if (open.length === 1) throw wrongFormat('This is no XML: there is text outside of its elements.');
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
  if (roots.length !== 1) throw wrongFormat('The XML needs one outermost element.');
  return { root: roots[0]!, comments };
}

export const child = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((c) => c.name === name);

/** The child of that name; 'model-format' when there is none. */
export function need(element: XmlElement, name: string): XmlElement {
  const found = child(element, name);
  if (!found) throw wrongFormat(`The cascade's <${element.name}> has no <${name}>.`);
  return found;
}

/** All numbers in an element's text. */
export function numbers(element: XmlElement): number[] {
  if (element.text === '') return [];
  return element.text.split(/\s+/).map((word) => {
    const value = Number(word);
    if (word === '' || !Number.isFinite(value))
      throw wrongFormat(`The cascade's <${element.name}> has '${word.slice(0, 40)}' where a number belongs.`);
    return value;
  });
}
