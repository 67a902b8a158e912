/**
 * Elements of a page become properties of its window and document under their ids and names. Window properties that Lit
 * and this package use are protected from that. Document properties cannot be protected, so a conflict is reported.
 * Imported before Lit.
 */

/** Properties that may be missing in a window, so that an element with this name would replace them. */
const asked = [
  ...['litElementHydrateSupport', 'litElementPolyfillSupport', 'litElementVersions', 'litHtmlPolyfillSupport'],
  ...[
    'litHtmlVersions',
    'litNonce',
    'litPropertyMetadata',
    'reactiveElementPolyfillSupport',
    'reactiveElementVersions',
  ],
  ...[
    'ShadyCSS',
    'ShadyDOM',
    'trustedTypes',
    'MediaStreamTrackProcessor',
    'VideoDecoder',
    'VideoEncoder',
    'VideoFrame',
  ],
  ...['OffscreenCanvas', 'showSaveFilePicker'],
];
const needed = [
  ...['createElement', 'createComment', 'createTreeWalker', 'importNode', 'addEventListener', 'removeEventListener'],
  ...['head', 'baseURI', 'hidden', 'visibilityState', 'documentElement', 'activeElement'],
] as const;

const own = globalThis as Record<string, unknown>;
if (typeof document !== 'undefined')
  for (const name of asked)
    if (isOfMarkup(own[name]))
      Object.defineProperty(own, name, { value: undefined, writable: true, configurable: true });

function isOfMarkup(value: unknown): boolean {
  return value instanceof Element || value instanceof HTMLCollection || (value as Window | null)?.window === value;
}

/** The document's real value, which no element can hide. */
function genuine(of: Document, name: string): unknown {
  for (let from: object | null = Document.prototype; from; from = Object.getPrototypeOf(from) as object | null) {
    const found = Object.getOwnPropertyDescriptor(from, name);
    if (found) return found.get ? found.get.call(of) : found.value;
  }
  return undefined;
}

/** First required document property that an element of this name hides. Null if none is hidden. */
export const hiddenProperty = (of: Document): string | null =>
  needed.find((name) => isOfMarkup(of[name]) && of[name] !== genuine(of, name)) ?? null;
