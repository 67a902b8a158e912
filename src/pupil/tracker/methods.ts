/** The methods by name; a new one is a line here and in the choice of parameters.ts. */
import type { Runtime } from '../../runtime/runtime.ts';
import { HoughMethod } from '../hough/hough.ts';
import type { PupilValues } from '../parameters.ts';
import { RobustMethod } from '../robust/robust.ts';
import type { Method } from '../search/method.ts';
import { StarburstMethod } from '../starburst/starburst.ts';
import { ThresholdMethod } from '../threshold/threshold.ts';

type MakeMethod = (runtime: Runtime, values: PupilValues) => Method;
export type Methods = Readonly<Record<PupilValues['method'], MakeMethod>>;

export const shippedMethods: Methods = {
  robust: (runtime, values) => new RobustMethod(runtime, values),
  starburst: (runtime, values) => new StarburstMethod(runtime, values),
  hough: (runtime, values) => new HoughMethod(runtime, values),
  threshold: (runtime, values) => new ThresholdMethod(runtime, values),
};
