/** The call of the engine for edges. */
import { imageOf } from '../image/image-of.ts';
import { defineOperation } from '../runtime/capability.ts';
import { canny } from './canny.ts';

export const cannyOperation = defineOperation({
  name: 'canny',
  params: canny.params,
  sources: ['gray'],
  run: ({ runtime }, planes, params) => imageOf(runtime, canny, planes, params),
});
