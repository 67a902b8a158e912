/** The calls of the engine for edges, lines and circles. */
import { imageOf } from '../image/operations.ts';
import { defineOperation } from '../runtime/capability.ts';
import { FoveolaError } from '../runtime/error.ts';
import { boolean, type Values } from '../runtime/parameters.ts';
import { canny } from './canny.ts';
import { circleParameters, directionsOf } from './circle-parameters.ts';
import { circlesOf, type VotedCircle } from './circles.ts';
import { resolveWithEdges, withEdges, type EdgeInput } from './edge-input.ts';
import { lineParameters } from './line-parameters.ts';
import { linesOf, type Line } from './lines.ts';
import { segmentOf } from './segments.ts';

export const cannyOperation = defineOperation({
  name: 'canny',
  params: canny.params,
  sources: ['gray'],
  run: ({ runtime }, planes, params) => imageOf(runtime, canny, planes, params),
});

const houghLinesTable = {
  ...lineParameters,
  segments: boolean({ default: false, effect: 'With the end points of the longest piece that edges lie on.' }),
  ...canny.params,
} as const;

/** `edges`, see edge-input.ts, besides the table. */
export type HoughLinesValues = Values<typeof houghLinesTable> & EdgeInput;

export const houghLinesOperation = defineOperation({
  name: 'houghLines',
  params: houghLinesTable,
  sources: ['gray'],
  resolve: (given): HoughLinesValues => resolveWithEdges(houghLinesTable, given, 'houghLines'),
  run: ({ runtime }, [source], params: HoughLinesValues): Promise<Line[]> =>
    withEdges(runtime, source!, params, 'houghLines', (edges) => {
      const lines = linesOf(runtime.wasm, edges, params);
      if (!params.segments) return lines;
      return lines.map((line) => ({ ...line, ...segmentOf(runtime.wasm, edges, line, params) }));
    }),
});

const houghCirclesTable = { ...circleParameters, ...canny.params } as const;

/** `edges`, see edge-input.ts, besides the table. */
export type HoughCirclesValues = Values<typeof houghCirclesTable> & EdgeInput;

export const houghCirclesOperation = defineOperation({
  name: 'houghCircles',
  params: houghCirclesTable,
  sources: ['gray'],
  resolve(given): HoughCirclesValues {
    const values = resolveWithEdges(houghCirclesTable, given, 'houghCircles');
    directionsOf(values.angleStep);
    if (values.minRadius > values.maxRadius)
      throw new FoveolaError(
        'invalid-argument',
        `houghCircles: minRadius (${values.minRadius}) must not exceed maxRadius (${values.maxRadius}).`,
      );
    return values;
  },
  run: ({ runtime, slice, progress }, [source], params: HoughCirclesValues): Promise<VotedCircle[]> =>
    withEdges(runtime, source!, params, 'houghCircles', (edges) =>
      circlesOf(runtime.wasm, edges, params, (done) => (progress(done), slice())),
    ),
});
