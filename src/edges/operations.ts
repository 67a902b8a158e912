/** The calls of the engine for edges, lines and circles. */
import { imageOf } from '../image/operations.ts';
import { defineOperation } from '../runtime/capability.ts';
import { canny } from './canny.ts';

export const cannyOperation = defineOperation({
  name: 'canny',
  params: canny.params,
  sources: ['gray'],
  run: ({ runtime }, planes, params) => imageOf(runtime, canny, planes, params),
});
