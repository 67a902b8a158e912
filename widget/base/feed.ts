/**
 * A feed is an opened source: the media element that shows it, the data to process, and how to close it. Any input of
 * the element (URL, file, stream, canvas, bitmap, another element) becomes a feed here.
 */
import {
  browserShows,
  FoveolaError,
  frames,
  openVideo,
  readImage,
  type GrayImage,
  type ImageFileNotes,
  type Source,
} from '../../src/index.ts';
import { loadPart, acceptedSources, kindOf, parseAddress } from '../../src/internal.ts';
import { context2d, paintRows } from './canvas.ts';
import { fetchFile, awaitImage, awaitVideo, checkShown, explainImage } from './media-ready.ts';

/** Loads video-writer.js, which writes videos, when it is first needed. */
export const loadVideoWriter = () =>
  loadPart('video-writer.js', () => import('../tools/player/video-writer.ts'), 'Exporting a video', 'export none');

export type Given = Source | MediaStream | string;

export interface Feed {
  readonly kind: 'video' | 'camera' | 'stream' | 'image' | 'canvas';
  readonly name: string;
  /** Shows the source. It is inside the element's stage unless it is `external`. */
  readonly element: HTMLVideoElement | HTMLImageElement | HTMLCanvasElement;
  /** It belongs to the page, so it is not moved, paused or closed here. */
  readonly external: boolean;
  /** The media element was created here, for a URL, a file or a stream. */
  readonly own?: true;
  readonly live: boolean;
  readonly width: number;
  readonly height: number;
  /** A still in the engine's format. Absent for moving sources. */
  readonly still?: () => Source;
  readonly stream?: MediaStream;
  /** The file, or the URL to fetch it again, for the hash. */
  readonly bytes?: Blob | string;
  /** Metadata of an image file, if the library has read it. */
  readonly about?: ImageFileNotes;
  /** A recording that can be read frame by frame: the file, or its URL. */
  readonly file?: Blob | string;
  dispose(): void;
}

/** Whether two feeds have the same source, which may have been reopened. */
export function isSameSource(a: Feed, b: Feed): boolean {
  if (a === b) return true;
  if (a.name !== b.name || a.kind !== b.kind) return false;
  const known = a.bytes ?? a.file ?? a.stream;
  if (a.kind === 'camera') return true;
  return known === undefined ? a.external && a.element === b.element : known === (b.bytes ?? b.file ?? b.stream);
}

/**
 * Default view, if neither the page nor the user sets it: a camera faces the person. For files and for streams from
 * elsewhere it is unknown.
 */
export function viewOf(feed: Feed | null): 'facing' | 'unknown' {
  if (!feed?.live) return 'unknown';
  if (feed.kind === 'camera') return 'facing';
  const stream = feed.stream ?? (feed.element as HTMLVideoElement).srcObject;
  const [track] = stream instanceof MediaStream ? stream.getVideoTracks() : [];
  // Devices belong to a group. Canvases, peers and screens do not.
  return track?.getSettings().groupId ? 'facing' : 'unknown';
}

/** Context and lifetime of an opening. */
interface Opening {
  readonly signal: AbortSignal;
  /** The document of the element. */
  readonly home: Document;
  /** Opens stacks and animations as recordings. Otherwise only their first page is opened. */
  readonly stacks: boolean;
}

const extension = (name: string) => /\.([a-z0-9]{1,5})(?:[?#]|$)/i.exec(name)?.[1]?.toLowerCase() ?? '';
const images = new Set(['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'bmp', 'svg']);
/** By file name extension. Browsers cannot display these formats. */
const readHere = new Set('tif tiff dcm dicom pbm pgm ppm pnm pam'.split(' '));
const isImage = (type: string, name: string) =>
  type.startsWith('image/') || (!type.startsWith('video/') && images.has(extension(name)));

const baseName = (address: string) => {
  const last = address.split(/[?#]/)[0]!.split('/').pop() ?? '';
  try {
    return decodeURIComponent(last) || address;
  } catch {
    return last || address; // invalid percent encoding in the name
  }
};

const still = (image: HTMLImageElement, source: () => Source, rest: Partial<Feed> & { name: string }): Feed => ({
  kind: 'image',
  element: image,
  external: false,
  live: false,
  width: image.naturalWidth,
  height: image.naturalHeight,
  still: source,
  dispose: () => undefined,
  ...rest,
});

async function openVideoFeed(
  source: string | Blob | MediaStream,
  rest: Pick<Feed, 'kind' | 'name'> & Partial<Feed>,
  { signal, home }: Omit<Opening, 'stacks'>,
): Promise<Feed> {
  // If a video moves to another document later, the browser loads it again.
  const element = home.adoptNode(document.createElement('video'));
  const { video, close } = await openVideo(source, { signal, element });
  video.disablePictureInPicture = true;
  const { videoWidth: width, videoHeight: height } = video;
  return { element: video, external: false, own: true, live: false, width, height, dispose: close, ...rest };
}

/** `blob`: set if the URL points to a user's file. */
async function openImage(url: URL, name: string, { signal }: Opening, blob?: Blob): Promise<Feed> {
  const foreign = isForeign(url);
  const load = async (shared: boolean) => {
    const image = new Image();
    if (shared) image.crossOrigin = 'anonymous';
    image.src = url.href;
    await awaitImage(image, name, signal);
    return image;
  };
  try {
    const image = await load(foreign);
    const bytes = blob ?? (foreign ? undefined : url.href);
    return still(image, () => blob ?? image, { name, own: true, ...(bytes !== undefined && { bytes }) });
  } catch (error) {
    if (!(error instanceof FoveolaError) || error.code !== 'decode-failed') throw error;
    throw await explainImage(url, error, () => load(false));
  }
}

/** A sandboxed frame does not have an origin (`self.origin` is 'null'). Everything is foreign to it. */
const isForeign = (url: URL) => url.origin !== self.origin && !['blob:', 'data:'].includes(url.protocol);

async function openAddress(address: string, opening: Opening): Promise<Feed> {
  const url = parseAddress(address);
  const name = baseName(address);
  if (readHere.has(extension(url.pathname))) return openFile(await fetchFile(url, opening.signal), name, opening);
  if (isImage('', url.pathname) || address.startsWith('data:image/')) return openPictureAt(url, name, opening);
  const bytes = isForeign(url) ? {} : { bytes: url.href };
  return openVideoFeed(url.href, { kind: 'video', name, file: url.href, ...bytes }, opening);
}

/**
 * Fetches the image once and checks it before it is shown, like a file. If connect-src forbids the fetch, or the server
 * does not allow sharing, an image element loads it and only its size is checked.
 */
async function openPictureAt(url: URL, name: string, opening: Opening): Promise<Feed> {
  let blob: Blob;
  try {
    blob = await fetchFile(url, opening.signal);
  } catch (error) {
    if (opening.signal.aborted || !(error as FoveolaError).cause) throw error;
    return openImage(url, name, opening);
  }
  return openBlob(blob, name, opening, url);
}

/**
 * Opens formats that browsers cannot display. The library decodes them onto a canvas. Stacks and animations become
 * recordings.
 */
async function openFile(blob: Blob, name: string, opening: Opening): Promise<Feed> {
  const { signal, stacks } = opening;
  const { image, ...about } = await readImage(blob, { signal });
  const moving = stacks && about.frames > 1 ? await openStack(blob, name, opening) : null;
  return { ...(moving ?? openPicture(image)), name, bytes: blob, about };
}

/**
 * Plays a video of the same frames, while the analysis uses the file itself. Null if this browser cannot write such a
 * video.
 */
async function openStack(blob: Blob, name: string, opening: Opening): Promise<Feed | null> {
  const { stackRecording } = await loadVideoWriter();
  const video = await stackRecording(frames(blob, { signal: opening.signal }));
  return video && openVideoFeed(video, { kind: 'video', name, file: blob }, opening);
}

/** Rejects files that are not images before they are opened as images. */
async function refuseOthers(blob: Blob, name: string): Promise<void> {
  const { kind, name: found } = await kindOf(blob);
  if (kind === 'text' || /document|archive/.test(found))
    throw new FoveolaError(
      'decode-failed',
      `'${name}' is not a supported image or video. It looks like ${found}. ` +
        'Choose PNG, JPEG, WebP, TIFF or DICOM, or a WebM or MP4 video.',
    );
}

/** `from`: the URL that it was fetched from. */
async function openBlob(blob: Blob, name: string, opening: Opening, from?: URL): Promise<Feed> {
  if (blob.size > 0 && !(await browserShows(blob))) return openFile(blob, name, opening);
  if (blob.size > 0) await refuseOthers(blob, name);
  if (!from && !isImage(blob.type, name))
    return openVideoFeed(blob, { kind: 'video', name, bytes: blob, file: blob }, opening);
  if (blob.size === 0) throw new FoveolaError('decode-failed', `${name} is empty. Choose a video or an image.`);
  const address = URL.createObjectURL(blob);
  const dispose = () => URL.revokeObjectURL(address);
  try {
    return { ...(await openImage(new URL(address), name, opening, blob)), dispose };
  } catch (error) {
    dispose();
    if (!from || (error as FoveolaError).code !== 'decode-failed') throw error;
    return openImage(from, name, opening, blob); // a policy may allow images from there, but not from blob URLs
  }
}

/** Opens a stream of a camera or of the page. It is not stopped here. */
export const openStream = (
  stream: MediaStream,
  name: string,
  kind: 'camera' | 'stream',
  signal: AbortSignal,
  home = document,
): Promise<Feed> => openVideoFeed(stream, { kind, name, live: true, stream }, { signal, home });

async function openElement(element: Element, signal: AbortSignal, external: boolean): Promise<Feed> {
  const name = element.id ? `#${element.id}` : `<${element.localName}>`;
  const rest = { name, external, dispose: () => undefined };
  if (element instanceof HTMLVideoElement) {
    const address = element.currentSrc || element.src;
    await awaitVideo(element, name, signal);
    const live = element.srcObject instanceof MediaStream;
    const { videoWidth: width, videoHeight: height } = element;
    return {
      ...rest,
      kind: 'video',
      element,
      live,
      width,
      height,
      ...(!live && { name: baseName(address), file: address }),
    };
  }
  if (element instanceof HTMLImageElement) {
    await awaitImage(element, name, signal);
    return still(element, () => element, { ...rest, name: baseName(element.currentSrc || element.src) });
  }
  if (element instanceof HTMLCanvasElement) {
    const { width, height } = element;
    return { ...rest, kind: 'canvas', element, live: false, width, height, still: () => element };
  }
  throw new FoveolaError('source-unsupported', `${name} is not a video, img or canvas element.`);
}

/** An image without an element gets a canvas, so that it is visible. */
function openPicture(source: Source): Feed {
  const canvas = document.createElement('canvas');
  const context = context2d(canvas);
  const size = (width: number, height: number) => {
    checkShown(width, height);
    canvas.width = width;
    canvas.height = height;
  };
  if (source instanceof ImageData) {
    size(source.width, source.height);
    context.putImageData(source, 0, 0);
  } else if ('data' in source) {
    const { width, height, data } = source as GrayImage;
    size(width, height);
    paintRows(canvas, { width, height }, (words, top, rows) => {
      const from = top * width;
      for (let i = 0; i < rows * width; i++) words[i] = 0xff000000 + 0x10101 * data[from + i]!;
    });
  } else if (source instanceof ImageBitmap || source instanceof OffscreenCanvas) {
    size(source.width, source.height);
    context.drawImage(source, 0, 0);
  } else {
    const frame = source as VideoFrame;
    size(frame.displayWidth, frame.displayHeight);
    context.drawImage(frame, 0, 0);
  }
  const { width, height } = canvas;
  const rest = { external: false, live: false, dispose: () => undefined };
  return { ...rest, kind: 'image', name: 'image', element: canvas, width, height, still: () => source };
}

/** Raw samples, which do not have an element. */
function dataOf(given: unknown): unknown {
  try {
    return (given as GrayImage | null)?.data;
  } catch (cause) {
    throw new FoveolaError('invalid-argument', 'source: its data cannot be read.', { cause });
  }
}

/** Opens any input of the element. `home`: the document of the element. Throws a FoveolaError with advice. */
export async function openFeed(
  given: Given,
  signal: AbortSignal,
  { slotted = false, stacks = true, home = document }: { slotted?: boolean; stacks?: boolean; home?: Document } = {},
): Promise<Feed> {
  const opening = { signal, home, stacks };
  if (typeof given === 'string') return openAddress(given, opening);
  if (given instanceof Blob) return openBlob(given, given instanceof File && given.name ? given.name : 'file', opening);
  if (given instanceof MediaStream) return openStream(given, 'stream', 'stream', signal, home);
  if (given instanceof Element) return openElement(given, signal, slotted || given.isConnected);
  const data = dataOf(given);
  const known = [ImageData, ImageBitmap, globalThis.OffscreenCanvas, globalThis.VideoFrame];
  if (known.some((type) => type && given instanceof type) || data instanceof Uint8Array) return openPicture(given);
  throw new FoveolaError('source-unsupported', `source must be ${acceptedSources}, or a MediaStream.`);
}
