/** In a page: disc, fovea and measures of one photograph of ../shared, as it is or changed. */
import { createEngine, retinalMeasures } from '../../../src/index.ts';
import type { Engine } from '../../../src/api.ts';

type Variant = 'default' | 'lines';

export interface Change {
  /** Of the photograph's sides. */
  factor?: number;
  mirror?: boolean;
  /** Of its levels. */
  light?: number;
}

let engine: Engine | null = null;
const started = async () => (engine ??= await createEngine({ backend: 'wasm', threads: 1 }));

async function read(path: string, { factor = 1, mirror = false, light = 1 }: Change = {}): Promise<ImageData> {
  const blob = await (await fetch(`/shared/data/${path}`)).blob();
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  const [width, height] = [Math.round(bitmap.width * factor), Math.round(bitmap.height * factor)];
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })!;
  context.imageSmoothingQuality = 'high';
  if (mirror) {
    context.translate(width, 0);
    context.scale(-1, 1);
  }
  context.drawImage(bitmap, 0, 0, width, height);
  const image = context.getImageData(0, 0, width, height);
  if (light !== 1)
    for (let i = 0; i < image.data.length; i++) if (i % 4 !== 3) image.data[i] = Math.round(light * image.data[i]!);
  return image;
}

/** Everything of one photograph; places in pixels of the unchanged one. */
export async function measure(path: string, change: Change = {}, variant: Variant = 'default') {
  const { factor = 1, mirror = false } = change;
  const image = await read(path, change);
  const own = await started();
  const vessels = await own.vessels(image, { scales: 'all', variant, measures: true });
  const found = await own.opticDisc(image, { segments: vessels.segments });
  const measures = retinalMeasures(vessels, found);
  const { zone, tortuosity, fractal, branching, density } = measures;
  const back = <T extends { x: number; y: number }>(place: T | null) =>
    place && {
      ...place,
      x: ((mirror ? image.width - 1 - place.x : place.x) + 0.5) / factor - 0.5,
      y: (place.y + 0.5) / factor - 0.5,
    };
  const disc = back(found.disc);
  return {
    disc: disc && { ...disc, radius: disc.radius / factor },
    fovea: back(found.fovea),
    eye: measures.eye,
    warnings: measures.warnings,
    seen: zone?.seen ?? null,
    kinds: zone?.kinds ?? null,
    sure: zone?.confidence ?? null,
    counts: zone && [zone.crae?.vessels ?? 0, zone.crve?.vessels ?? 0],
    // What goes with the size is given for the unchanged photograph.
    values: {
      radius: disc && disc.radius / factor,
      crae: zone?.crae ? zone.crae.pixels / factor : null,
      crve: zone?.crve ? zone.crve.pixels / factor : null,
      avr: zone?.avr ?? null,
      meanWidth: zone?.meanWidth ? zone.meanWidth.pixels / factor : null,
      arcOverChord: tortuosity.arcOverChord,
      curvature: tortuosity.curvature === null ? null : tortuosity.curvature * factor,
      fractal: fractal?.dimension ?? null,
      angle: branching.angle,
      areaRatio: branching.areaRatio,
      exponent: branching.exponent,
      superior: density.disc?.superior ?? null,
      inferior: density.disc?.inferior ?? null,
    },
    residual: fractal?.residual ?? null,
    forks: branching.forks.length,
  };
}

/** Kinds of the zone's vessels against a map of labels: 1 arteries, 2 veins. With the CRAE and CRVE of the labels themselves. */
export async function labeled(path: string, labels: string, variant: Variant = 'default') {
  const image = await read(path);
  const { data: map, width } = await read(labels);
  const own = await started();
  const vessels = await own.vessels(image, { scales: 'all', variant, measures: true });
  const found = await own.opticDisc(image, { segments: vessels.segments });
  const { disc } = found;
  if (!disc) return null;
  const kinds = vessels.segments!.map(({ points }) => {
    const counts = [0, 0, 0, 0];
    for (let k = 0; k < points.length; k += 2)
      if (Math.hypot(points[k]! - disc.x, points[k + 1]! - disc.y) < 3.5 * disc.radius)
        counts[map[4 * (Math.round(points[k + 1]!) * width + Math.round(points[k]!))]!]!++;
    return counts[1]! + counts[2]! ? (counts[1]! > counts[2]! ? ('artery' as const) : ('vein' as const)) : null;
  });
  const judged = retinalMeasures(vessels, found).zone!;
  const said = retinalMeasures(vessels, { ...found, kinds }).zone!;
  const both = judged.vessels.filter(({ kind, segment }) => kind && kinds[segment]);
  return {
    vessels: both.length,
    right: both.filter(({ kind, segment }) => kind === kinds[segment]).length,
    confidence: judged.confidence,
    crae: [judged.crae?.pixels ?? null, said.crae?.pixels ?? null],
    crve: [judged.crve?.pixels ?? null, said.crve?.pixels ?? null],
    avr: [judged.avr, said.avr],
  };
}
