/**
 * A page of pictures under all kinds of CSS, each with an overlay as the elements lay it over a video, img or canvas of
 * the page. Every picture has three discs; the overlay draws discs of other colors on the same source pixels. Where they
 * are seen is measured on pictures of the page, so the truth is the browser's own.
 */
import { Overlay, sourcePoint, toX, toY, type View } from '../../widget/base/overlay.ts';

interface Case {
  name: string;
  /** Styles of the picture, of its parent, and of the parent of that. */
  media?: string;
  inside?: string;
  around?: string;
  kind?: 'canvas' | 'img' | 'video';
  /** The element with the overlay is in the same turned box. */
  together?: boolean;
  /** Scrolling, once it is laid out. */
  after?: (outer: HTMLElement) => void;
}

const [width, height] = [120, 90];
const points = [
  [40, 36],
  [78, 41],
  [57, 58],
] as const;
const radius = 6;
const shown = ['#f00', '#0f0', '#00f'];
const drawn = ['#ff0', '#0ff', '#f0f'];

const box = 'width:150px;height:110px;';
const positions = ['0% 100%', '10px 5px', 'right 10px bottom 5px', '30% 12px', 'calc(20% + 7px) -6px'];
const fits = ['contain', 'cover', 'fill', 'none', 'scale-down'];

export const cases: Case[] = [
  ...fits.map((fit) => ({ name: `fit ${fit}`, media: `${box}object-fit:${fit}` })),
  ...fits.map((fit, i) => ({
    name: `${fit} at ${positions[i]}`,
    media: `${box}object-fit:${fit};object-position:${positions[i]}`,
  })),
  { name: 'tall box', media: 'width:90px;height:130px;object-fit:contain;object-position:50% 20%' },
  { name: 'small box', media: 'width:100px;height:70px;object-fit:cover;object-position:40% 60%' },
  { name: 'scale-down in a small box', media: 'width:80px;height:70px;object-fit:scale-down;object-position:0 0' },
  { name: 'border', media: `${box}border:solid #444;border-width:3px 9px 14px 5px` },
  { name: 'padding', media: `${box}padding:4px 17px 11px 6px;background:#333` },
  {
    name: 'border-box, border and padding',
    media: `${box}box-sizing:border-box;border:7px solid #444;padding:2px 12px 9px 5%;object-fit:contain`,
  },
  { name: 'img', kind: 'img', media: `${box}object-fit:cover;object-position:right 3px top 8px;padding:6px` },
  { name: 'video', kind: 'video', media: `${box}object-fit:contain;object-position:10% 0;border:5px solid #444` },
  { name: 'rotated parent', inside: 'rotate:25deg', media: box },
  {
    name: 'rotated by transform',
    inside: 'transform:translate(10px,4px) rotate(-40deg)',
    media: `${box}border:6px solid #444`,
  },
  {
    name: 'quarter turn',
    inside: 'transform:rotate(90deg)',
    media: 'width:120px;height:90px;object-fit:none;padding:5px',
  },
  { name: 'half turn', inside: 'rotate:180deg', media: `${box}object-fit:contain;object-position:0 0` },
  { name: 'scaled parent', inside: 'transform:scale(0.7);transform-origin:0 0', media: `${box}padding:10px 3px` },
  { name: 'unequally scaled', inside: 'scale:1.2 0.6;transform-origin:10px 70px', media: box },
  { name: 'skewed', inside: 'transform:skewX(-18deg)', media: box },
  {
    name: 'rotated in scaled',
    inside: 'rotate:15deg',
    around: 'transform:scale(0.8,1.1)',
    media: `${box}object-fit:cover`,
  },
  {
    name: 'zoomed parent',
    inside: 'zoom:0.75',
    media: `${box}object-fit:cover;object-position:4px 9px;border:4px solid #444`,
  },
  { name: 'zoomed and rotated', inside: 'zoom:1.2', around: 'rotate:-12deg', media: 'width:110px;height:85px' },
  { name: 'picture itself turned', media: `${box}rotate:-20deg;scale:0.9;translate:3px 2px` },
  { name: 'mirrored by the page', media: `${box}transform:scaleX(-1);object-fit:contain;object-position:0 50%` },
  { name: 'mirrored and rotated', inside: 'rotate:30deg', media: `${box}transform:scaleX(-1)` },
  { name: 'flipped', media: `${box}transform:scaleY(-1);padding-top:9px` },
  { name: 'turned in space', media: `${box}transform:rotateY(50deg)` },
  { name: 'together in a rotated box', together: true, inside: 'rotate:33deg', media: `${box}padding:5px 12px` },
  { name: 'together, scaled', together: true, inside: 'transform:scale(0.6)', media: `${box}border:5px solid #444` },
  { name: 'together, zoomed', together: true, inside: 'zoom:0.8', media: `${box}border:5px solid #444` },
  {
    name: 'right to left',
    around: 'direction:rtl',
    media: `${box}padding-inline-start:15px;object-position:0 0;object-fit:contain`,
  },
  {
    name: 'scrolled',
    around: 'overflow:auto;width:170px;height:130px',
    inside: 'padding:40px 60px;width:200px;height:300px',
    media: box,
    after: (outer) => outer.scrollTo(45, 33),
  },
  {
    name: 'scrolled, right to left',
    around: 'overflow:auto;width:170px;height:130px;direction:rtl',
    inside: 'padding:40px 60px;width:200px;height:300px',
    media: box,
    after: (outer) => outer.scrollTo(-45, 33),
  },
  {
    name: 'sticky',
    around: 'overflow:auto;width:180px;height:130px',
    inside: 'height:400px',
    media: `${box}position:sticky;top:6px`,
    after: (outer) => outer.scrollTo(0, 120),
  },
  { name: 'fixed', media: `${box}position:fixed;border:2px solid #444` },
  { name: 'inline box with a turn of no effect', inside: 'display:inline;rotate:40deg', media: box },
];

function picture(): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#000';
  context.fillRect(0, 0, width, height);
  for (const [i, [x, y]] of points.entries()) {
    context.fillStyle = shown[i]!;
    context.beginPath();
    context.arc(x + 0.5, y + 0.5, radius, 0, 2 * Math.PI);
    context.fill();
  }
  return canvas;
}

async function mediaOf(kind: Case['kind']): Promise<HTMLElement> {
  const canvas = picture();
  if (kind === 'img') {
    const image = new Image();
    image.src = canvas.toDataURL();
    await image.decode();
    return image;
  }
  if (kind === 'video') {
    const video = document.createElement('video');
    video.muted = true;
    const stream = canvas.captureStream(10);
    video.srcObject = stream;
    // A canvas gives a frame when it is drawn on.
    const timer = setInterval(() => canvas.getContext('2d')!.fillRect(0, 0, 1, 1), 100);
    await video.play();
    while (!video.videoWidth) await new Promise((resolve) => setTimeout(resolve, 30));
    clearInterval(timer);
    return video;
  }
  return canvas;
}

interface Shown extends Case {
  overlay: Overlay;
  canvas: HTMLCanvasElement;
  view: View | null;
  cell: HTMLElement;
}
let all: Shown[] = [];

const cell = { width: 210, height: 190, columns: 6 };
export const perPage = 24;

const styled = (node: HTMLElement, text = '') => {
  for (const rule of text.split(';').filter(Boolean)) {
    const [name, ...value] = rule.split(':');
    node.style.setProperty(name!.trim(), value.join(':'));
  }
  return node;
};

async function build(one: Case, index: number): Promise<Shown> {
  const place = styled(
    document.createElement('div'),
    `position:absolute;width:${cell.width}px;height:${cell.height}px`,
  );
  const [left, top] = [(index % cell.columns) * cell.width, Math.floor(index / cell.columns) * cell.height];
  styled(place, `left:${left}px;top:${top}px`);
  const around = styled(document.createElement('div'), `margin:25px 0 0 25px;width:max-content;${one.around ?? ''}`);
  const inside = styled(document.createElement('div'), `width:max-content;${one.inside ?? ''}`);
  const media = styled(await mediaOf(one.kind), `${one.media ?? ''}`);
  if (one.name === 'fixed') styled(media, `left:${left + 31}px;top:${top + 27}px`);
  inside.className = 'inside';
  inside.append(media);
  around.append(inside);
  place.append(around);
  // Like an element's: somewhere else on the page, with a border.
  const host = styled(document.createElement('div'), 'position:relative;border:3px solid #222;width:9px;height:9px');
  const canvas = styled(document.createElement('canvas'), 'position:absolute;pointer-events:none;transform-origin:0 0');
  host.append(canvas);
  (one.together ? inside : place).append(host);
  document.body.append(place);
  one.after?.(around);
  const made: Shown = { ...one, cell: place, canvas: canvas as HTMLCanvasElement, view: null, overlay: null! };
  made.overlay = new Overlay(
    made.canvas,
    host,
    (work) => work(),
    (view) => (made.view = view),
  );
  made.overlay.attach(media, width, height, true);
  return made;
}

const frames = async (count = 3) => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => requestAnimationFrame(resolve));
};

/** Lays out some of the cases; returns their names. */
export async function show(from: number): Promise<string[]> {
  for (const { overlay, cell: place } of all) {
    overlay.close();
    place.remove();
  }
  styled(document.body, 'margin:0;background:#000');
  all = await Promise.all(cases.slice(from, from + perPage).map(build));
  await frames();
  return all.map(({ name }) => name);
}

/** The overlays draw, or show nothing. */
export async function draw(on: boolean): Promise<void> {
  for (const { overlay } of all)
    if (!on) overlay.clear();
    else
      overlay.draw((context, view) => {
        for (const [i, [x, y]] of points.entries()) {
          context.fillStyle = drawn[i]!;
          context.beginPath();
          context.ellipse(toX(view, x), toY(view, y), radius * view.scale, radius * view.scaleY, 0, 0, 2 * Math.PI);
          context.fill();
        }
        return [0, 0, view.width, view.height];
      });
  await frames();
}

/** The page moves all pictures without an event. */
export async function shift(): Promise<void> {
  for (const { name, cell: place } of all) {
    const inside = place.querySelector<HTMLElement>('.inside')!;
    // It would contain fixed elements.
    const moved = name === 'fixed' ? inside.firstElementChild! : inside;
    (moved as HTMLElement).style.setProperty('translate', '6px -5px');
    inside.style.setProperty('position', 'relative');
    inside.style.setProperty('left', '3px');
  }
  await new Promise((resolve) => setTimeout(resolve, 600));
  await frames();
}

/** Positions of the three discs in each case: centers of the pixels with their color, in CSS pixels. */
async function centers(png: string, colors: readonly string[]): Promise<([number, number] | null)[][]> {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: image.naturalWidth, height: image.naturalHeight });
  const context = canvas.getContext('2d', { willReadFrequently: true })!;
  context.drawImage(image, 0, 0);
  const ratio = image.naturalWidth / innerWidth;
  return all.map(({ cell: place }) => {
    const at = place.getBoundingClientRect();
    const [w, h] = [Math.round(at.width * ratio), Math.round(at.height * ratio)];
    const { data } = context.getImageData(Math.round(at.left * ratio), Math.round(at.top * ratio), w, h);
    return colors.map((color) => {
      const wanted = [...color.slice(1)].map((digit) => digit === 'f');
      let [sum, x, y] = [0, 0, 0];
      for (let i = 0; i < w * h; i++)
        if (wanted.every((on, c) => (on ? data[4 * i + c]! > 140 : data[4 * i + c]! < 115))) {
          sum++;
          x += i % w;
          y += Math.floor(i / w);
        }
      return sum > 12 ? [at.left + (x / sum + 0.5) / ratio, at.top + (y / sum + 0.5) / ratio] : null;
    });
  });
}

/** One line per overlay that misses its picture, and per pointer that would miss; `with` and `without`: PNG, base64. */
export async function compare(without: string, drawnOver: string): Promise<string[]> {
  const [truth, seen] = [await centers(without, shown), await centers(drawnOver, drawn)];
  return all.flatMap(({ name, kind, view, canvas }, i) =>
    points.flatMap(([x, y], k) => {
      // A video has its colors at half the resolution.
      const [a, b] = [truth[i]![k], seen[i]![k]];
      if (!a) return [`${name}: disc ${k} is not seen at all`];
      if (!b) return [`${name}: nothing is drawn on disc ${k}`];
      const off = Math.hypot(a[0] - b[0], a[1] - b[1]);
      const faults =
        off > (kind === 'video' ? 1.5 : 0.8) ? [`${name}: disc ${k} is drawn ${off.toFixed(1)} px off`] : [];
      const back = view && sourcePoint(view, canvas, { clientX: a[0], clientY: a[1] });
      const missed = back ? Math.hypot(back.x - x - 0.5, back.y - y - 0.5) : Infinity;
      if (missed > 1.6) faults.push(`${name}: a pointer on disc ${k} is ${missed.toFixed(1)} source pixels off`);
      return faults;
    }),
  );
}
