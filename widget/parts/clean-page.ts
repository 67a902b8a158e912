/**
 * Elements of a page are properties of its window and its document by their ids and names. Those of the window that Lit and this
 * package ask for are hidden from them; those of the document, which cannot be hidden, are named. Imported before Lit.
 */

/** What may be missing in a window, so that an element of this name stands for it. */
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

/** The value of a document that no element hides. */
function genuine(of: Document, name: string): unknown {
  for (let from: object | null = Document.prototype; from; from = Object.getPrototypeOf(from) as object | null) {
    const found = Object.getOwnPropertyDescriptor(from, name);
    if (found) return found.get ? found.get.call(of) : found.value;
  }
  return undefined;
}

/** The first property of a document that is needed and that an element of this name hides; null where there is none. */
export const hiddenProperty = (of: Document): string | null =>
  needed.find((name) => isOfMarkup(of[name]) && of[name] !== genuine(of, name)) ?? null;
