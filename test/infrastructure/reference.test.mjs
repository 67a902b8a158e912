// Full run only: it runs programs of the project for many seconds.
// The reference of the engine, its trackers and the functions around them: each method has a signature, a summary and an example,
// and the examples run. Signatures come from the sources (tools/docs/members.mjs).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readMembers } from '../../tools/docs/members.mjs';
import { readOperations } from '../../tools/docs/operations.mjs';
import { givens } from '../../tools/docs/pictures.mjs';
import { importTs } from '../../tools/import-ts.mjs';
import { root } from '../../tools/setup.mjs';
import { blocks, placeOf, referencePages } from '../support/snippets.mjs';

const text = (file) => readFileSync(path.join(root, file), 'utf8');
const pages = [...referencePages, 'docs/sources.md'];
/** Sections of the pages by the member that they insert. */
const sections = new Map(
  pages.flatMap((file) =>
    text(file)
      .split(/^#+ .*$/m)
      .flatMap((section) => {
        const [, name] = /<!-- site: member (\S+) -->/.exec(section) ?? [];
        return name ? [[name, { file, section }]] : [];
      }),
  ),
);
const code = (file) => blocks.filter((block) => block.file === file && block.language === 'js').map((block) => block.text).join('\n'); // prettier-ignore
const operations = new Map(readOperations().map((page) => [page.operation, page]));

/** Types whose members the pages describe, and functions. Members that every tracker has are described once. */
const types = ['Engine', 'EngineImage', 'FaceTracker', 'ObjectTracker', 'PupilTracker', 'Camera', 'Recording'];
const functions = ['createEngine', 'createEngineSync', 'frames', 'readImage', 'listCameras', 'openCamera'];
/** Data, which the text before the methods names, and methods of EventTarget. */
const data = ['width', 'height', 'format', 'backend', 'stream', 'track', 'connected', 'settings', 'columns', 'markers', 'events', 'length', 'first']; // prettier-ignore
const inherited = ['addEventListener', 'dispatchEvent', 'removeEventListener'];

describe('the reference', () => {
  let members;
  before(() => (members = readMembers()));

  const wanted = () => {
    const common = members.namesOf('TrackerHandle');
    const own = types.flatMap((type) =>
      members
        .namesOf(type)
        .filter((name) => !data.includes(name) && !inherited.includes(name))
        .map((name) =>
          type.endsWith('Tracker') && common.includes(name) ? `TrackerHandle.${name}` : `${type}.${name}`,
        ),
    );
    return [...new Set([...functions, 'Chain.result', ...own])];
  };

  it('has a section with an example for each method', () => {
    const names = wanted();
    assert.ok(names.length > 60, `${names.length}`);
    const lacking = names.filter((name) => {
      const short = name.split('.').at(-1);
      const page = operations.get(short);
      if (name.startsWith('Engine.') && page)
        return !page.example?.includes(`engine.${short}(`) || !text(page.file).includes('<!-- site: call -->');
      const { file } = sections.get(name) ?? {};
      return !file || !new RegExp(`\\b${short}\\b`).test(code(file));
    });
    assert.deepEqual(lacking, []);
  });

  it('has a signature and a summary for each method', () => {
    const lacking = wanted().filter((name) => {
      const { signatures, text: summary } = members.member(name);
      const words = (sections.get(name)?.section ?? '').replace(/<!--[^]*?-->|```[^]*?^```/gm, '').trim();
      return !signatures.every((one) => /: \S/.test(one) && !/\bargs: |<any>|: any\b/.test(one)) || !(summary || words);
    });
    assert.deepEqual(lacking, []);
  });

  it('names parameters, options and results as the sources do', () => {
    const [canny, kept] = members.member('Engine.canny').signatures;
    assert.match(canny, /^canny\(\n {2}source: Source,\n {2}options\?: \{\n {4}low\?: number;\n/);
    assert.match(canny, /norm\?: "L1" \| "L2";[^]*\): Promise<GrayImage & \{ readonly backend: ResultBackend; \}>$/);
    assert.equal(kept, 'canny(source: Source, options: { …; keep: true }): Promise<EngineImage>');
    assert.deepEqual(members.member('ObjectTracker.add').signatures, ['add(box: Box): Promise<number>']);
    const { signatures, options } = members.member('openCamera');
    assert.deepEqual(signatures, ['openCamera(options?: CameraOptions): Promise<Camera>']);
    assert.match(options.find(({ name }) => name === 'resume').text, /Default true/);
    assert.equal(options.find(({ name }) => name === 'facing').type, '"user" | "environment"');
  });

  it('fails for a name that does not exist', () => {
    assert.throws(() => members.member('Engine.nothing'), /has no 'nothing'/);
    assert.throws(() => members.member('nothing'), /exports no 'nothing'/);
  });
});

/** What an example's last `const` must be, by page and heading. */
const results = {
  'docs/engine.md: createEngine': ['backend', (value) => assert.equal(value, 'wasm')],
  'docs/engine.md: createEngineSync': ['white', (value) => assert.ok(value > 100)],
  'docs/engine.md: Options of every call': ['code', (value) => assert.equal(value, 'aborted')],
  'docs/engine.md: capabilities': ['canny', (value) => assert.equal(value.backend, 'wasm')],
  'docs/engine.md: load': ['lines', (value) => assert.ok(Array.isArray(value))],
  'docs/engine.md: chain': ['edges', ({ data: samples }) => assert.ok(samples.includes(255))],
  'docs/engine.md: result': ['[width, height]', (value) => assert.ok(value.every((side) => side > 100))],
  'docs/engine.md: preload': ['tracker', ({ process }) => assert.equal(typeof process, 'function')],
  'docs/engine.md: profile': ['profile', (value) => assert.equal(value, null)],
  'docs/engine.md: landmarkFits': ['confidences', ([value]) => assert.ok(value > 0 && value <= 1)],
  'docs/engine.md: vesselMeasures': ['widest', (value) => assert.ok(value > 1)],
  'docs/engine.md: dispose': ['code', (value) => assert.equal(value, 'disposed')],
  'docs/engine.md: read': ['data', (value) => assert.ok(value.length > 10_000)],
  'docs/engine.md: view': ['samples', (value) => assert.ok(value.data.length > 10_000)],
  'docs/engine.md: dispose of an image': ['code', (value) => assert.equal(value, 'disposed')],
  'docs/trackers.md: process': ['pupil', (value) => assert.ok(value.found)],
  'docs/trackers.md: setParameters': ['pupils', ([value]) => assert.equal(typeof value.found, 'boolean')],
  'docs/trackers.md: reset': ['pupils', ([value]) => assert.ok(value.found)],
  'docs/trackers.md: dispose': ['code', (value) => assert.equal(value, 'disposed')],
  'docs/trackers.md: setModel': ['points', (value) => assert.equal(value, 68)],
  'docs/trackers.md: start': ['box', (value) => assert.ok(value.width > 50)],
  'docs/trackers.md: add': ['targets', (value) => assert.equal(value.length, 2)],
  'docs/trackers.md: remove': ['targets', (value) => assert.equal(value.length, 1)],
  'docs/trackers.md: correct': ['box', (value) => assert.ok(Math.abs(value.x - 64) < 3)],
  'docs/trackers.md: exportModel': ['bytes', (value) => assert.ok(value.length > 100)],
  'docs/trackers.md: importModel': ['targets', (value) => assert.equal(value.length, 1)],
};

describe('examples of the engine and the trackers', () => {
  let library;
  let names;
  before(async () => {
    library = await importTs('src/node/index.ts');
    const engine = await library.createEngine({ threads: 1 });
    const { image } = await givens.eye({}, engine);
    const { image: face } = await givens.face({ media: 'portrait.png' }, engine);
    const { image: fundus } = await givens.color({ media: 'fundus.jpg' }, engine);
    names = { engine, image, face, fundus };
  });
  after(() => names?.engine.dispose());

  const examples = blocks.filter(({ file, language }) => referencePages.includes(file) && language === 'js');
  it('are each checked', () => assert.deepEqual(examples.map(placeOf), Object.keys(results)));

  for (const example of examples) {
    const place = placeOf(example);
    it(place, async () => {
      const [shown, judge] = results[place];
      const body = example.text.replace(/^import (\{[^}]*\}) from 'foveola(?:\/node)?';$/gm, 'const $1 = library;');
      const module = `export default async ({ library, console, ${Object.keys(names).join(', ')} }) => {{\n${body}\nreturn ${shown};\n}};`;
      const { default: run } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
      judge(await run({ library, console: { log: () => {} }, ...names }));
    });
  }
});
