/** The methods by name; a new one is a line here and in the choice of parameters.ts. */
import type { Runtime } from '../../runtime/runtime.ts';
import type { Method } from '../search/method.ts';
import type { Ladder } from '../starburst/ladder.ts';
import { HoughMethod } from '../hough/hough.ts';
import type { PupilValues } from '../parameters.ts';
import { RobustMethod } from '../robust/robust.ts';
import { StarburstMethod } from '../starburst/starburst.ts';
import { ThresholdMethod } from '../threshold/threshold.ts';

type MakeMethod = (runtime: Runtime, values: PupilValues, ladder: Ladder) => Method;

const methods: Readonly<Record<PupilValues['method'], MakeMethod>> = {
  robust: (runtime, values) => new RobustMethod(runtime, values),
  starburst: (runtime, values, ladder) => new StarburstMethod(runtime, values, ladder),
  hough: (runtime, values) => new HoughMethod(runtime, values),
  threshold: (runtime, values) => new ThresholdMethod(runtime, values),
};

export const makeMethod: MakeMethod = (runtime, values, ladder) => methods[values.method](runtime, values, ladder);
