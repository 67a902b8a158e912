// The rows of the five papers, and the parts of their benchmarks that no other test covers.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { errors } from '../../bench/faces/parts/data.mjs';
import { overlap } from '../../bench/parts/numbers.mjs';
import { errorOf } from '../../bench/pupil/parts/score.mjs';
import { byPhase } from '../../lab/faces/pipeline.mjs';
import { exact, halfToEven, ported } from '../../lab/objects/windows.mjs';
import { printHardware } from '../../lab/objects/parts/hardware-report.mjs';
import { PAGE, pageOf } from '../../lab/papers/page.mjs';
import { allFaults, faultsOf, readPapers } from '../../lab/papers/rows.mjs';
import { configurationsOf } from '../../lab/pupil/paper.mjs';
import { histogram } from '../../lab/pupil/radii.mjs';
import { openSolver, SOLVERS } from '../../lab/vessels/parts/solver.mjs';
import { SIZES } from '../../lab/vessels/parts/time-bench.mjs';
import { importTs } from '../../tools/import-ts.mjs';
import { generator } from '../../tools/random.mjs';
import { root } from '../../tools/setup.mjs';
import { itInFull } from '../support/full.mjs';

const kernels = () => new Uint8Array(readFileSync(path.join(root, 'dist/kernels.wasm')));

describe('rows of the papers', () => {
  const papers = readPapers();
  const row = {
    ...{ row: 'table 1', what: 'a measurement', state: 'whole', sources: ['lab/papers.mjs'] },
    ...{ tests: ['test/infrastructure/papers.test.mjs'], command: 'npm run lab -- ladder pupil' },
    figures: { rate: 'ladder-h200 > rate circle, depth 1 > fps' },
  };

  it('name sources, tests, commands and figures that exist', () => assert.deepEqual(allFaults(papers), []));

  it('are on the page as they are', () =>
    assert.equal(
      readFileSync(path.join(root, PAGE), 'utf8'),
      pageOf(papers),
      'Run `npm run lab -- papers --write` and commit the page.',
    ));

  it('are refused if something that they name is missing', () => {
    assert.deepEqual(faultsOf(row), []);
    const faults = (change) => faultsOf({ ...row, ...change }).join();
    assert.match(faults({ sources: ['lab/none.mjs'] }), /lab\/none\.mjs, which does not exist/);
    assert.match(faults({ tests: ['test/none.test.mjs'] }), /none\.test\.mjs, which does not exist/);
    assert.match(faults({ tests: ['lab/papers.mjs'] }), /is not a test/);
    assert.match(faults({ command: 'npm run lab -- none at all' }), /not a command/);
    assert.match(faults({ command: 'npm run lab -- ladder pupil --result lab/results/none.json' }), /does not exist/);
    assert.match(faults({ figures: { rate: 'ladder-h200 > none > fps' } }), /has no 'none'/);
    assert.match(faults({ figures: { rate: 'ladder-h200 > rate circle, depth 1' } }), /not a figure/);
    assert.match(faults({ figures: { rate: 'performance > none > a > b' } }), /no block/);
  });

  it('are refused without a reason where there is no figure or they are not whole', () => {
    assert.match(faultsOf({ ...row, figures: {} }).join(), /no figure and does not say why/);
    assert.match(faultsOf({ ...row, state: 'partial' }).join(), /does not say why/);
    assert.match(faultsOf({ ...row, state: 'done' }).join(), /state 'done'/);
    assert.match(faultsOf({ ...row, tests: [] }).join(), /whole without a test/);
  });
});

describe('measures of the papers', () => {
  it('take the larger of the errors of center and radius', () => {
    const truth = { x: 10, y: 10, r: 20 };
    assert.equal(errorOf([1, 1, 10.5, 10, 21], truth, 'circle').relative, 0.05);
    assert.equal(errorOf([1, 1, 12, 10, 21], truth, 'circle').relative, 0.1);
    assert.equal(errorOf([0, 0, 0, 0, 0], truth, 'circle').relative, Infinity);
  });

  it('have the intersection over the union', () => {
    const box = { x: 0, y: 0, width: 10, height: 10 };
    assert.equal(overlap(box, { ...box, x: 5 }), 50 / 150);
    assert.equal(overlap(box, { ...box, x: 20 }), 0);
  });

  it('have equation 5.2 of the thesis', () => {
    const points = Float64Array.from({ length: 136 }, (_, k) => (k === 90 ? 100 : 0)); // the eyes' outer corners 100 px apart
    const moved = points.map((v, k) => (k % 2 ? v : v + 3));
    const { nme, thesis } = errors(moved, points);
    assert.equal(nme.toFixed(9), (3 / 100).toFixed(9));
    assert.equal(thesis.toFixed(9), (Math.sqrt(68 * 9) / (68 * 100)).toFixed(9));
  });

  it('count pupils by radius', async () => {
    const { pupilRadii } = await importTs('lab/eyes/paper-radii.ts');
    const bins = histogram(pupilRadii());
    assert.equal(
      bins.reduce((sum, [, count]) => sum + count, 0),
      964,
    );
    assert.deepEqual(histogram([0.1, 0.2, 0.39, 0.4]), [
      [0, 1],
      [0.2, 2],
      [0.4, 1],
    ]);
  });

  it('have the mean of each place between two detections', () => assert.deepEqual(byPhase([1, 2, 3, 4], 2), [2, 3]));

  it('have the sizes of table 1 of paper 003', () =>
    assert.deepEqual(SIZES, [
      [700, 605],
      [2240, 1488],
      [3504, 2336],
    ]));

  itInFull('have the stages of table 4.1 of the thesis', async () => {
    const { readCascade } = await importTs('bench/faces/parts/library.ts');
    const { stages, width } = readCascade(readFileSync(path.join(root, 'models/frontalface_default.bin')));
    const trees = stages.map((stage) => stage.trees.length);
    assert.equal(width, 24);
    assert.equal(trees.length, 25);
    assert.deepEqual([...trees.slice(0, 7), ...trees.slice(-2)], [9, 16, 27, 32, 52, 53, 62, 211, 200]);
  });

  it('count windows by the rules that are written down', () => {
    assert.equal(exact(), 29_855);
    assert.equal(ported({ width: 25, height: 42 }, 20), 37_408);
    assert.deepEqual([0.5, 1.5, 2.5, 2.6].map(halfToEven), [0, 2, 2, 3]);
  });
});

describe('programs of the papers', () => {
  it('name Starburst, which is not the default of the tracker', async () => {
    const { pupilPresets } = await importTs('src/pupil/parameters.ts');
    const { CIRCLE, PAPER } = await importTs('lab/pupil/parts/gpu-setup.ts');
    for (const { name, params } of configurationsOf(pupilPresets))
      assert.equal(
        params.method,
        /reflections/.test(name) ? 'starburst' : /step/.test(name) ? 'threshold' : 'hough',
        name,
      );
    assert.deepEqual([CIRCLE.method, PAPER.method], ['starburst', 'starburst']);
  });

  itInFull('find the same circles scalar and in WASM', async () => {
    const own = await importTs('lab/pupil/parts/baseline-run.ts');
    const runtime = await own.Runtime.create({ module: await own.compileKernels(kernels(), false) });
    const frames = own.framesOf(1, 1);
    const { circles } = own.sequential(frames);
    assert.ok(own.apart(own.kernels(runtime, frames, false, 0).circles, circles) < 0.01);
    runtime.dispose();
  });

  itInFull('solve general matrices as the closed form does', async () => {
    const solver = await openSolver();
    const random = generator(3);
    const plane = () => Float32Array.from({ length: 403 }, () => random() - 0.5);
    const planes = { across: plane(), down: plane(), diagonal: plane() };
    planes.diagonal[0] = 0;
    const held = solver.hold(planes);
    for (const name of SOLVERS) {
      held.run(name);
      const [low, high] = [held.low(), held.high()];
      planes.across.forEach((h, i) => {
        const [v, d] = [planes.down[i], planes.diagonal[i]];
        const root = Math.hypot(h - v, 2 * d);
        assert.ok(Math.abs(low[i] - (h + v - root) / 2) < 1e-6 && Math.abs(high[i] - (h + v + root) / 2) < 1e-6, name);
      });
    }
    for (const n of [1, 3, 6])
      for (const how of ['ql', 'jacobi']) {
        const rows = Array.from({ length: n }, () => Array.from({ length: n }, () => 0));
        for (let i = 0; i < n; i++) for (let k = 0; k <= i; k++) rows[i][k] = rows[k][i] = random() - 0.5;
        for (const { value, vector } of solver.solve(rows, how))
          rows.forEach((row, i) => {
            const turned = row.reduce((sum, v, k) => sum + v * vector[k], 0);
            assert.ok(Math.abs(turned - value * vector[i]) < 1e-5, `${how}, ${n} rows`);
          });
      }
  });

  itInFull('give the same with and without a step of paper 001', async () => {
    const { lines, nextPatch, drawnHole } = await importTs('lab/edges/parts/ablations.ts');
    const random = generator(5);
    const edges = { width: 40, height: 30, data: Uint8Array.from({ length: 1200 }, () => (random() < 0.1 ? 255 : 0)) };
    const plain = lines(edges);
    assert.ok(plain.most > 3);
    assert.deepEqual(lines(edges, { inside: true }), plain);
    assert.equal(lines(edges, { table: false }).most, plain.most);
    const hole = drawnHole(60, 50, 20);
    assert.equal(nextPatch(hole, true), nextPatch(hole, false));
  });

  it('print what each backend reaches, the split of paper 004 by itself', () => {
    const lines = [];
    const report = { line: (words) => lines.push(words), table: () => {} };
    printHardware(report, {
      machine: { renderer: 'a card', processors: 8 },
      'car 1920x1080, scalar': { ms: 40, digest: 'a' },
      'car 1920x1080, GPU and 8 threads': { ms: 8, digest: 'a' },
      'car 1920x1080, WASM, 8 threads': { ms: 2, digest: 'a' },
    });
    const found = lines.filter((words) => words.includes('10.25'));
    assert.equal(found.length, 2);
    assert.match(found[0], /split of the paper.*5\.00: NOT reached/);
    assert.match(found[1], /WASM alone.*20\.00: reached/);
  });
});
