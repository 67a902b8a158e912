// Readers of cascades: OpenCV's two XML formats, the compact form, and files that are none of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { cascadeNamed, generator, golden, library, modelFile, randomCascade, shared } from './support.mjs';

const { cascadeXml, packCascade, readCascade, readCascadeXml, unpackCascade, packModel } = library;
const text = (value) => new TextEncoder().encode(value);

const recent = `<?xml version="1.0"?><!-- The license. -->
<opencv_storage><cascade type_id="opencv-cascade-classifier"><stageType>BOOST</stageType><featureType>HAAR</featureType>
<height>20</height><width>24</width><stageNum>1</stageNum><stages><_><maxWeakCount>2</maxWeakCount>
<stageThreshold>-1.5e-01</stageThreshold><weakClassifiers>
<_><internalNodes>0 -1 0 4.0e-03</internalNodes><leafValues>3.5e-01 -7.5e-01</leafValues></_>
<_><internalNodes>1 0 1 2.0e-03 -1 -2 0 6.0e-03</internalNodes><leafValues>1. 2. 3.</leafValues></_>
</weakClassifiers></_></stages>
<features><_><rects><_>3 7 14 4 -1.</_><_>3 9 14 2 2.</_></rects><tilted>0</tilted></_>
<_><rects><_>1 2 6 4 -1.</_><_>1 2 3 2 2.</_><_>4 4 3 2 2.</_></rects></_></features></cascade></opencv_storage>`;

const old = `<?xml version="1.0"?><!-- The license. --><opencv_storage><frontal type_id="opencv-haar-classifier">
<size>24 20</size><stages><_><trees>
<_><_><feature><rects><_>3 7 14 4 -1.</_><_>3 9 14 2 2.</_></rects><tilted>0</tilted></feature>
<threshold>4.0e-03</threshold><left_val>3.5e-01</left_val><right_val>-7.5e-01</right_val></_></_>
<_><_><feature><rects><_>1 2 6 4 -1.</_><_>1 2 3 2 2.</_><_>4 4 3 2 2.</_></rects><tilted>0</tilted></feature>
<threshold>2.0e-03</threshold><left_node>1</left_node><right_val>1.</right_val></_>
<_><feature><rects><_>3 7 14 4 -1.</_><_>3 9 14 2 2.</_></rects><tilted>0</tilted></feature>
<threshold>6.0e-03</threshold><left_val>2.</left_val><right_val>3.</right_val></_></_>
</trees><stage_threshold>-1.5e-01</stage_threshold><parent>-1</parent><next>-1</next></_></stages></frontal></opencv_storage>`;

describe('cascade XML', () => {
  it('reads nodes, leaves and rectangles', () => {
    const { width, height, stages, notice } = readCascadeXml(recent);
    assert.deepEqual([width, height, notice], [24, 20, 'The license.']);
    assert.equal(stages[0].threshold, -0.15);
    const [stump, tree] = stages[0].trees;
    assert.deepEqual(stump[0].rectangles[1], { x: 3, y: 9, width: 14, height: 2, weight: 2 });
    assert.deepEqual([stump[0].left, stump[0].right], [{ leaf: 0.35 }, { leaf: -0.75 }]);
    assert.deepEqual([tree[0].left, tree[0].right], [{ node: 1 }, { leaf: 1 }]);
    assert.deepEqual([tree[1].left, tree[1].right], [{ leaf: 2 }, { leaf: 3 }]);
    assert.equal(tree[0].rectangles.length, 3);
  });

  it('reads the format before it to the same cascade', () =>
    assert.deepEqual(readCascadeXml(old), readCascadeXml(recent)));

  it('makes no nodes of far too many numbers', () => {
    // The feature is one that there is not, which whoever makes the node says.
    const node = '0 -1 7 0 ';
    const [before, after] = recent.split('0 -1 0 4.0e-03');
    const refused = (xml) =>
      assert.throws(() => readCascadeXml(xml), { code: 'model-format', message: /too many nodes/ });
    refused(before + node.repeat(65) + after);
    const tree = `<_><internalNodes>${'0 0 0 1 '.repeat(64)}</internalNodes><leafValues>1 1</leafValues></_>`;
    refused(
      recent.replace(
        '<_><internalNodes>1 0',
        `${tree.repeat(3125)}<_><internalNodes>${node}</internalNodes><leafValues>1</leafValues></_><_><internalNodes>1 0`,
      ),
    );
  });

  const wrong = {
    'another document': '<html></html>',
    'not XML': 'hello',
    nothing: '',
    'a document type': '<!DOCTYPE a [<!ENTITY b "c">]><opencv_storage/>',
    'local binary patterns': recent.replace('HAAR', 'LBP'),
    'a rectangle outside of the window': recent.replace('3 9 14 2 2.', '3 19 14 2 2.'),
    'a huge window': recent.replace('<width>24', '<width>24000000'),
    'a feature that is missing': recent.replace('0 -1 0 4.0e-03', '0 -1 7 4.0e-03'),
    'a leaf that is missing': recent.replace('1. 2. 3.', '1. 2.'),
    'a tree that runs in a circle': recent.replace('1 0 1 2.0e-03 -1 -2', '1 0 1 2.0e-03 1 -2'),
    'a word instead of a number': recent.replace('-1.5e-01', 'many'),
    'endless nesting': '<a>'.repeat(1000),
    'a tree of stages': old.replace('<parent>-1', '<parent>5'),
  };
  for (const [what, source] of Object.entries(wrong))
    it(`refuses ${what}`, () => assert.throws(() => readCascadeXml(source), { code: 'model-format' }));

  it('refuses 32 MB of numbers by what it announces, before they are parsed', () => {
    const many = '7 '.repeat(1 << 24);
    const leaves = recent.replace(/<internalNodes>/, `<internalNodes>${many}`);
    const marks = recent.replace('<stages>', `<stages>${'<_>7</_>'.repeat(1 << 22)}`);
    const declared = recent.replace(/<stageNum>\d+/, '<stageNum>99999999');
    for (const source of [leaves, marks, declared])
      assert.throws(() => readCascadeXml(source), { code: 'model-format', message: /far larger than any cascade/ });
  });

  it('refuses every beginning of a file', () => {
    for (let n = 0; n < recent.length; n += 7)
      assert.throws(() => readCascade(text(recent.slice(0, n))), { code: 'model-format' }, `${n} characters`);
  });

  it('survives files with changed characters', () => {
    const random = generator(7);
    for (let i = 0; i < 400; i++) {
      const bytes = text(recent);
      for (let k = 0; k < 3; k++) bytes[Math.floor(random() * bytes.length)] = 32 + Math.floor(random() * 95);
      try {
        library.checkCascade(readCascade(bytes));
      } catch (error) {
        assert.equal(error.code, 'model-format', error.stack);
      }
    }
  });

  it('agrees with the summaries of the goldens', async () => {
    for (const { id, inputs, model } of (await golden()).cases.filter((c) => c.op === 'haar_model')) {
      const { width, height, stages } = cascadeNamed(inputs[0].file.split('/').pop());
      const nodes = stages.flatMap(({ trees }) => trees.flat());
      const rectangles = nodes.flatMap((node) => node.rectangles);
      assert.deepEqual([width, height], model.window, id);
      assert.deepEqual(
        stages.map((s) => s.trees.length),
        model.weakPerStage,
        id,
      );
      assert.equal(nodes.length, model.features, id);
      assert.equal(rectangles.length, model.rectsTotal, id);
      assert.equal(
        rectangles.reduce((sum, r) => sum + r.weight, 0),
        model.weightSum,
        id,
      );
    }
  });
});

describe('the compact form of cascades', () => {
  it('keeps all numbers and the notice', () => {
    const random = generator(1);
    for (const trees of [false, true]) {
      const cascade = unpackCascade(packCascade(randomCascade(random, { trees })));
      assert.deepEqual(unpackCascade(packCascade(cascade)), cascade);
    }
    assert.deepEqual(readCascade(packCascade(readCascadeXml(recent))).notice, 'The license.');
  });

  it('of the shipped models is what the XML converts to, license included', () => {
    for (const name of library.shippedCascades) {
      const shipped = modelFile(`${name}.bin`);
      const sources = ['recent', 'old'].map((format) => text(cascadeXml(readCascade(shipped), format)));
      // OpenCV's own file, where it is there.
      if (shared) sources.push(new Uint8Array(readFileSync(`${shared}/data/faces/models/haarcascade_${name}.xml`)));
      for (const xml of sources)
        assert.deepEqual(Buffer.from(packCascade(readCascade(xml))), Buffer.from(shipped), name);
    }
    assert.match(readCascade(modelFile('frontalface_alt.bin')).notice, /Intel License Agreement/);
  });

  it('is refused when cut short, damaged, or of another kind', () => {
    const bytes = modelFile('frontalface_alt.bin');
    for (let n = 0; n < bytes.length; n += n < 64 ? 1 : 4999)
      assert.throws(() => readCascade(bytes.slice(0, n)), { code: 'model-format' }, `${n} bytes`);
    const damaged = bytes.slice();
    damaged[5000] ^= 1;
    assert.throws(() => readCascade(damaged), { code: 'model-checksum' });
    assert.throws(() => readCascade(packModel('landmarks', new Uint8Array(40), '')), /landmarks.*cascade/);
    const newer = bytes.slice();
    newer[6] = 9;
    assert.throws(() => readCascade(newer), /version 9, .* Use the folder models of this version, or convert it again/);
  });

  it('as XML with other characters is refused or a cascade', () => {
    const random = generator(9);
    const whole = shared
      ? readFileSync(`${shared}/data/faces/models/haarcascade_frontalface_alt2.xml`, 'latin1')
      : cascadeXml(readCascade(modelFile('frontalface_alt2.bin')));
    // The head, two stages and the end: what the reader sees of every kind of element.
    const cut = whole.indexOf('</stages>');
    const good = whole.length > 60_000 && cut > 0 ? whole.slice(0, 9000) + whole.slice(cut - 2000, cut + 9000) : whole;
    const characters = '<>/ -_"0123456789eE.!&;x';
    let refused = 0;
    for (let i = 0; i < 300; i++) {
      const text = [...good.slice(0, random() < 0.5 ? good.length : Math.floor(random() * good.length))];
      for (let k = 0; k < 3; k++)
        text[Math.floor(random() * text.length)] = characters[Math.floor(random() * characters.length)];
      try {
        library.checkCascade(readCascadeXml(text.join('')));
      } catch (error) {
        assert.equal(error.code, 'model-format', error.stack);
        refused++;
      }
    }
    assert.ok(refused > 100);
  });

  it('does not take memory for numbers in a file', () => {
    for (const at of [4, 12]) {
      const payload = new Uint8Array(64);
      const view = new DataView(payload.buffer);
      view.setUint16(0, 20, true);
      view.setUint16(2, 20, true);
      view.setUint32(4, 1, true);
      view.setUint32(at, 0xfffffff0, true);
      assert.throws(() => unpackCascade(packModel('cascade', payload, '')), { code: 'model-format' });
    }
  });

  it('with other bytes under a right checksum is refused or a cascade', () => {
    const random = generator(3);
    const good = packCascade(randomCascade(random, { trees: true }));
    const payload = good.slice(32);
    for (let i = 0; i < 500; i++) {
      const bytes = payload.slice(0, random() < 0.5 ? payload.length : Math.floor(random() * payload.length));
      for (let k = 0; k < 2; k++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      try {
        library.checkCascade(unpackCascade(packModel('cascade', bytes, '')));
      } catch (error) {
        assert.equal(error.code, 'model-format', error.stack);
      }
    }
  });
});
