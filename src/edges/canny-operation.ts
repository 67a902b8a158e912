/** The call of the engine for edges. */
import { toImage } from '../image/image-of.ts';
import { defineOperations, operation } from '../runtime/capability.ts';
import { canny } from './canny.ts';

const cannyOperation = operation({
  params: canny.params,
  sources: ['gray'],
  keeps: 'asked',
  *plan(scope, [source], params) {
    const [edges] = yield* scope.run(canny, [source], params);
    return yield* toImage(scope, edges!);
  },
});

export const cannyOperations = defineOperations({
  /**
   * Edges as 255, all else 0, in an image of the source's size; by default bit for bit OpenCV's Canny with a 3x3
   * aperture. `low` and `high` are gradient magnitudes; in the wrong order they change places. Source: Canny, PAMI 8(6),
   * 1986; `derivative: 'gaussian'` and `thresholds: 'auto'`: "Parallel pupil tracking", section 2.4.
   * @throws {FoveolaError} (rejects) as every call of the engine, see {@link Engine}
   */
  canny: cannyOperation,
});
