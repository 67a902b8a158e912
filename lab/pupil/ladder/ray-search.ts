/** Rays and RANSAC on the GPU with optimizations switched off: plain texels, a table a frame, steps in passes of their own. */
import ransacFragment from '../../../glsl/pupil/starburst/ransac.frag';
import type { PupilValues } from '../../../src/pupil/parameters.ts';
import { circleUniforms, rayPasses, type RayPasses } from '../../../src/pupil/starburst/passes.gpu.ts';
import {
  RaySearch,
  type CircleTextures,
  type CircleUniforms,
  uploadTable,
  type RayTables,
} from '../../../src/pupil/starburst/ray-search.gpu.ts';
import type { AnyPass } from '../../../src/runtime/gpu/gpu-programs.ts';
import type { Texture } from '../../../src/runtime/gpu/gpu-backend.ts';
import { definePass } from '../../../src/runtime/gpu/pass.ts';
import type { Runtime } from '../../../src/runtime/runtime.ts';
import type { Scope } from '../../../src/runtime/scope.ts';
import type { Ladder } from './ladder.ts';

const fitPass = definePass({
  name: 'pupil/ransac fit',
  fragment: ransacFragment,
  textures: ['state', 'list', 'table'],
  uniforms: circleUniforms,
  outputs: ['circle'],
  defines: { FIT: 1 },
});

const countPass = definePass({
  name: 'pupil/ransac count',
  fragment: ransacFragment,
  textures: ['state', 'list', 'fits'],
  uniforms: circleUniforms,
  outputs: ['circle'],
  defines: { COUNT: 1 },
});

export class LadderRaySearch extends RaySearch {
  readonly #runtime: Runtime;
  readonly #ladder: Ladder;
  #seed = 1;

  constructor(runtime: Runtime, values: PupilValues, ladder: Ladder) {
    super(runtime, values);
    this.#runtime = runtime;
    this.#ladder = ladder;
  }

  override passes(): AnyPass[] {
    return this.#ladder.fused ? super.passes() : [...super.passes(), fitPass, countPass];
  }

  protected override get rayPasses(): RayPasses {
    return rayPasses(this.#ladder.packed);
  }

  protected override tables(): RayTables {
    const tables = super.tables();
    if (!this.#ladder.ransacTable)
      uploadTable(this.#runtime.gpu!, tables.table, this.values.sets, ++this.#seed * 2654435761);
    return tables;
  }

  /** Unfused: one fragment a sample writes its event, as a pass of gradients would. */
  protected override segment(scope: Scope, longest: number): number {
    if (this.#ladder.fused) return super.segment(scope, longest);
    return Math.max(1, Math.ceil(longest / scope.gpu.capabilities.maxTextureSize));
  }

  protected override drawCircles(
    scope: Scope,
    circles: Texture,
    textures: CircleTextures,
    uniforms: CircleUniforms,
  ): void {
    if (this.#ladder.fused) return super.drawCircles(scope, circles, textures, uniforms);
    const { state, list } = textures;
    const fits = scope.texture(circles.width, circles.height, 'rgba32ui');
    scope.draw(fitPass, { targets: [fits], textures, uniforms });
    scope.draw(countPass, { targets: [circles], textures: { state, list, fits }, uniforms });
  }
}
