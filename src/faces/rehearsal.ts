/**
 * Warm-up of a tracker before its first frame. Everything that is compiled, made or loaded at its first use is used
 * once on a synthetic image. This reduces the time of the first frame in a new engine to a third.
 */
import type { PointModel } from '../models/landmark-models.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Scope } from '../runtime/scope.ts';
import { drive } from '../runtime/stage.ts';
import type { Plan } from '../runtime/wasm/kernel-step.ts';
import { searchCascade } from './cascade-search.ts';
import { FaceTrack } from './face-track.ts';
import { viewOf } from './iris.ts';
import { judgeByGradients, shortenCascade } from './judge.ts';
import { boxToFit, fitPoints } from './point-model.ts';
import type { FaceTrackerValues } from './parameters.ts';
import { reduceTo } from './resize.ts';
import type { SearchModels } from './search.ts';

/** Size of the image: as wide as the image of most searches, and high enough for a face. */
const [ACROSS, DOWN] = [640, 128];
/** Position and side of a face in it. */
const [AT, SIDE] = [20, 88];

/** Skips parts that the tracker does not have. */
export const rehearse = (
  runtime: Runtime,
  models: SearchModels,
  model: PointModel | null,
  values: FaceTrackerValues,
): Promise<void> => drive(runtime, (scope) => rehearsal(scope, models, model, values));

function* rehearsal(
  scope: Scope,
  [cascade, [second], [judge]]: SearchModels,
  model: PointModel | null,
  values: FaceTrackerValues,
): Plan<void> {
  const samples = Uint8Array.from({ length: ACROSS * DOWN }, (_, i) => i * i);
  const plane = scope.own(scope.runtime.plane(ACROSS, DOWN, 'u8', samples));
  const box = { x: AT, y: AT, width: SIDE, height: SIDE, neighbors: 99 };
  const searching = second && judge ? shortenCascade(cascade, judge.stages) : cascade;
  // Warm up the full search, and the first search at half the size. Without grouping, because some cascades accept all
  // windows.
  for (const longest of [ACROSS, ACROSS / 2]) {
    const image = yield* reduceTo(scope, plane, longest);
    yield* searchCascade(scope, searching, image, { ...values, minSize: 30, maxSize: 0 });
  }
  if (second && judge) yield* judgeByGradients(scope, judge, second, plane, [box], { ...values, minScore: 0 });
  if (!model) return;
  const [fit] = yield* fitPoints(scope, plane, [boxToFit(box, model)], model, new Set(), true);
  const face = new FaceTrack(0, model, box);
  face.begin(fit!);
  const view = viewOf(scope.arena, plane);
  face.recognize(view);
  face.result(true, 0, view);
}
