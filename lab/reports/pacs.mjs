// Source, SEG and SR of 20 retinas in a PACS (Orthanc): one patient and one study each, and the errors of dciodvfy and dcentvfy.
//   npm run lab -- pacs reports [--count 20] [--keep FOLDER]    needs the Debian packages orthanc, dicom3tools, dcmtk
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { importTs } from '../../tools/import-ts.mjs';
import { checkObject, checkTogether, missing, startArchive } from './parts/archive.mjs';

const argument = (args, name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
/** Photographs of the shared data are reduced to this width. */
const WIDTH = 640;

/** Photographs of HRF, CHASE, DRIVE and STARE, and one free photograph. */
function photographsOf(shared) {
  if (!shared) return [];
  const folders = ['hrf', 'fundus/chase', 'fundus/drive', 'fundus/stare', 'free'].map((one) => `data/${one}`);
  return folders.flatMap((folder) =>
    readdirSync(path.join(shared, folder))
      .filter((name) => /^(\d+_(dr|g|test)|Image_\w{3}|im\d+|retina)\.(jpg|png)$/.test(name))
      .map((name) => path.join(shared, folder, name)),
  );
}

const jpegOf = ({ rgb, width, height }) =>
  sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 92, chromaSubsampling: '4:2:0' })
    .toBuffer();

async function photograph(triples, file, n) {
  if (!file) {
    const drawn = triples.drawnRgb(n);
    return { ...drawn, jpeg: await jpegOf(drawn) };
  }
  const { data, info } = await sharp(file)
    .resize({ width: WIDTH, withoutEnlargement: true })
    .removeAlpha()
    .toColorspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { name: path.basename(file), width, height, rgb: data, jpeg: await jpegOf({ rgb: data, width, height }) };
}

/** Writes the three files of each retina to a folder. Calls `onTriple(n, name, files)`. */
export async function writeTriples(count, folder, shared, onTriple) {
  const { createEngine, readImage } = await importTs('src/node/index.ts');
  const triples = await importTs('lab/reports/parts/triples.ts');
  const real = photographsOf(shared).slice(0, Math.ceil(count / 2));
  const engine = await createEngine({ threads: 1 });
  try {
    for (let n = 0; n < count; n++) {
      const picture = await photograph(triples, real[n], n);
      const source = await triples.photographFile(n, picture);
      const file = await readImage(source);
      const result = await engine.vessels(file.image, { measures: true });
      const found = await engine.opticDisc(file.image, { segments: result.segments });
      const { seg, sr } = triples.recordsOf(n, file, result, found);
      const files = Object.entries({ source, seg, sr }).map(([kind, bytes]) => {
        const target = path.join(folder, `${String(n + 1).padStart(2, '0')}-${kind}.dcm`);
        writeFileSync(target, bytes);
        return { kind, file: target, bytes };
      });
      await onTriple(n, picture.name, files);
    }
  } finally {
    await engine.dispose();
  }
}

/** @returns { count, together, errors, warnings, apart, rows }: triples in one patient and study, and what validators say */
export async function checkTriples(count, folder, shared) {
  const archive = await startArchive();
  const rows = [];
  const said = { errors: [], warnings: [], source: [], apart: [] };
  let together = 0;
  try {
    await writeTriples(count, folder, shared, async (n, name, files) => {
      const places = [];
      for (const { bytes } of files) places.push(await archive.post(bytes));
      const of = (what) => new Set(places.map((one) => one[what])).size;
      const one = of('patient') === 1 && of('study') === 1 && of('series') === 3;
      if (one) together++;
      for (const { kind, file } of files) {
        const { errors, warnings } = checkObject(file);
        if (kind === 'source') said.source.push(...errors);
        else {
          said.errors.push(...errors.map((line) => `${kind} ${n + 1}: ${line}`));
          said.warnings.push(...warnings.map((line) => `${kind}: ${line}`));
        }
      }
      const apart = checkTogether(files.map(({ file }) => file));
      said.apart.push(...apart.map((line) => `${n + 1}: ${line}`));
      rows.push([name, of('patient'), of('study'), of('series'), apart.length]);
    });
    const { CountPatients, CountStudies } = await archive.statistics();
    return { count, together, ...said, patients: CountPatients, studies: CountStudies, rows };
  } finally {
    await archive.close();
  }
}

export default async function ({ args, log, table, shared }) {
  const absent = missing();
  if (absent.length) throw new Error(`Missing: ${absent.join(', ')}. apt-get install orthanc dicom3tools dcmtk`);
  const count = Number(argument(args, '--count')) || 20;
  const kept = argument(args, '--keep');
  if (kept) mkdirSync(kept, { recursive: true });
  const folder = kept ?? mkdtempSync(path.join(tmpdir(), 'foveola-triples-'));
  try {
    const found = await checkTriples(count, folder, shared);
    table([['retina', 'patients', 'studies', 'series', 'errors of dcentvfy'], ...found.rows]);
    log(`\n${found.together} of ${count} triples are in one patient and one study.`);
    log(`dciodvfy: ${found.errors.length} errors in ${2 * count} SEG and SR. dcentvfy: ${found.apart.length} errors.`);
    log(`dciodvfy: ${found.source.length} errors in the sources, which this command makes.`);
    const lines = [...new Set([...found.errors, ...found.apart, ...found.source, ...found.warnings])];
    for (const line of lines.slice(0, 40)) log(line);
  } finally {
    if (!kept) rmSync(folder, { recursive: true, force: true });
  }
}
