import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { objection, violations } from '../../tools/check-imports.mjs';
import { root } from '../../tools/setup.mjs';

describe('import direction', () => {
  it('is kept by the whole tree', () => assert.deepEqual(violations(root), []));

  const allowed = [
    ['widget/pupil/pupil.component.ts', 'src/index.ts'],
    ['widget/pupil/pupil.component.ts', 'widget/tools/chart/chart.ts'],
    ['src/index.ts', 'src/pupil/index.ts'],
    ['src/worker.ts', 'src/runtime/engine/engine.ts'],
    ['src/pupil/tracker/tracker.ts', 'src/edges/canny.ts'],
    ['src/pupil/tracker/tracker.ts', 'src/image/gray.ts'],
    ['src/pupil/tracker/tracker.ts', 'src/results/types.ts'],
    ['src/pupil/tracker/tracker.ts', 'glsl/pupil/rays.frag'],
    ['src/faces/tracker.ts', 'src/flow/track-points.ts'],
    ['src/objects/tracker.ts', 'src/flow/track-points.ts'],
    ['src/pupil/tracker/tracker.ts', 'src/series/eye-events.ts'],
    ['src/series/clean.ts', 'src/runtime/parameters.ts'],
    ['src/series/clean.ts', 'src/results/types.ts'],
    ['src/image/gray.ts', 'src/runtime/stage.ts'],
    ['src/image/operations.ts', 'src/results/types.ts'],
    ['src/frames/video.ts', 'src/runtime/error.ts'],
    ['src/reports/fhir.ts', 'src/results/recording.ts'],
    ['src/recordings/export.ts', 'src/pupil/export.ts'],
    ['widget/tools/storage/keeper.ts', 'src/recordings/storages.ts'],
    ['src/frames/video.ts', 'src/image/gray.ts'],
    ['src/frames/video.ts', 'src/results/types.ts'],
    ['glsl/pupil/rays.frag', 'glsl/lib/texel.glsl'],
    ['assembly/pupil/starburst/rays.ts', 'assembly/image/gaussian.ts'],
    ['assembly/index.ts', 'assembly/pupil/starburst/rays.ts'],
    ['test/pupil/starburst/rays.test.ts', 'src/pupil/rays.ts'],
  ];
  for (const [from, to] of allowed) it(`${from} -> ${to} may`, () => assert.equal(objection(from, to), null));

  const forbidden = [
    ['widget/pupil/pupil.component.ts', 'src/runtime/error.ts'],
    ['src/pupil/tracker/tracker.ts', 'widget/tools/chart/chart.ts'],
    ['src/pupil/tracker/tracker.ts', 'src/index.ts'],
    ['src/pupil/tracker/tracker.ts', 'src/flow/track-points.ts'],
    ['src/edges/canny.ts', 'src/pupil/tracker/tracker.ts'],
    ['src/flow/track-points.ts', 'src/faces/tracker.ts'],
    ['src/series/clean.ts', 'src/pupil/series.ts'],
    ['src/series/clean.ts', 'src/runtime/driver.ts'],
    ['src/image/gray.ts', 'src/edges/canny.ts'],
    ['src/image/gray.ts', 'src/frames/video.ts'],
    ['src/runtime/stage.ts', 'src/image/gray.ts'],
    ['src/results/export.ts', 'src/pupil/tracker/tracker.ts'],
    ['src/frames/video.ts', 'src/pupil/tracker/tracker.ts'],
    ['src/results/types.ts', 'src/frames/packet.ts'],
    ['src/elsewhere/x.ts', 'src/runtime/error.ts'],
    ['src/reports/fhir.ts', 'src/vessels/vessels.ts'],
    ['src/recordings/export.ts', 'src/vessels/vessels.ts'],
    ['src/results/recording.ts', 'src/recordings/export.ts'],
    ['widget/tools/storage/keeper.ts', 'src/runtime/error.ts'],
    ['widget/tools/files.ts', 'src/recordings/storages.ts'],
    ['src/vessels/vessels.ts', 'src/reports/report.ts'],
    ['src/pupil/tracker/tracker.ts', 'test/reference/rays.ts'],
    ['src/pupil/tracker/tracker.ts', 'assembly/pupil/starburst/rays.ts'],
    ['widget/pupil/pupil.ts', 'demo/index.js'],
    ['glsl/lib/texel.glsl', 'glsl/pupil/rays.glsl'],
    ['glsl/image/gray.frag', 'glsl/pupil/rays.glsl'],
    ['assembly/image/gray.ts', 'assembly/edges/canny.ts'],
  ];
  for (const [from, to] of forbidden)
    it(`${from} -> ${to} may not`, () => assert.equal(typeof objection(from, to), 'string'));

  it('lets runtime know the types of frames and results, nothing more', () => {
    const [from, to] = ['src/runtime/engine/engine.ts', 'src/results/types.ts'];
    assert.equal(objection(from, to, { typeOnly: true }), null);
    assert.equal(typeof objection(from, to), 'string');
    assert.equal(typeof objection(from, 'src/pupil/tracker/tracker.ts', { typeOnly: true }), 'string');
  });

  it('sees static, type, dynamic and re-exporting imports, cycles of values and types, and shader includes', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'foveola-'));
    try {
      mkdirSync(path.join(folder, 'src/image'), { recursive: true });
      mkdirSync(path.join(folder, 'glsl/image'), { recursive: true });
      const file = path.join(folder, 'src/image/x.ts');
      for (const line of [
        "import { a } from '../edges/canny.ts';",
        "import type { a } from '../edges/canny.ts';",
        "import '../edges/canny.ts';",
        "export * from '../edges/canny.ts';",
        "export const f = () => import('../edges/canny.ts');",
        "export type T = import('../edges/canny.ts').T;",
        "import { LitElement } from 'lit';",
      ]) {
        writeFileSync(file, line);
        assert.equal(violations(folder).length, 1, line);
      }
      writeFileSync(file, "// import '../edges/canny.ts'\nimport '../runtime/stage.ts';");
      assert.deepEqual(violations(folder), []);
      writeFileSync(file, "import type { Y } from './y.ts';");
      for (const line of ["import { x } from './x.ts';", "import type { X } from './x.ts';"]) {
        writeFileSync(path.join(folder, 'src/image/y.ts'), line);
        assert.deepEqual(violations(folder), ['cycle: src/image/x.ts -> src/image/y.ts -> src/image/x.ts'], line);
      }
      writeFileSync(file, '');
      assert.deepEqual(violations(folder), []);
      writeFileSync(path.join(folder, 'glsl/image/x.frag'), '#include "../pupil/rays.glsl"\n');
      assert.equal(violations(folder).length, 1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
