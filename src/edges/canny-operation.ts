/** The call of the engine for edges. */
import { toImage } from '../image/image-of.ts';
import { defineOperation } from '../runtime/capability.ts';
import { canny } from './canny.ts';

export const cannyOperation = defineOperation({
  name: 'canny',
  params: canny.params,
  sources: ['gray'],
  *plan(scope, [source], params) {
    const [edges] = yield* scope.run(canny, [source], params);
    return yield* toImage(scope, edges!);
  },
});
