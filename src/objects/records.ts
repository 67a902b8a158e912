/** The records of assembly/objects as the kernels declare them; test/node/objects-records.test.mjs compares them. */
import { defineRecord } from './record.ts';

export const boxRecord = /* @__PURE__ */ defineRecord<'x' | 'y' | 'width' | 'height'>(
  'x:f64 y:f64 width:f64 height:f64',
);

export const beliefRecord = /* @__PURE__ */ defineRecord<
  'x' | 'y' | 'width' | 'height' | 'confidence' | 'found' | 'valid' | 'by' | 'shown'
>('x:f64 y:f64 width:f64 height:f64 confidence:f64 found:i32 valid:i32 by:i32 shown:i32');

export const windowPairRecord = /* @__PURE__ */ defineRecord<
  'y' | 'width' | 'height' | 'lefts' | 'count' | 'first' | 'scale' | 'number' | 'step'
>('y:i32 width:i32 height:i32 lefts:usize count:i32 first:i32 scale:i32 number:i32 step:i32');

export const windowScaleRecord = /* @__PURE__ */ defineRecord<
  'width' | 'height' | 'lefts' | 'leftCount' | 'tops' | 'topCount' | 'first'
>('width:i32 height:i32 lefts:usize leftCount:i32 tops:usize topCount:i32 first:i32');

export const windowSearchRecord = /* @__PURE__ */ defineRecord<
  | 'pairs'
  | 'pairCount'
  | 'batches'
  | 'batchCount'
  | 'scales'
  | 'scaleCount'
  | 'widest'
  | 'offsets'
  | 'accepted'
  | 'counts'
  | 'votes'
  | 'candidates'
  | 'candidateCount'
  | 'mostCandidates'
  | 'detections'
  | 'detectionCount'
  | 'mostDetections'
  | 'patches'
  | 'nearest'
  | 'nearestCount'
  | 'mostNearest'
  | 'words'
  | 'places'
>(
  'pairs:usize pairCount:i32 batches:usize batchCount:i32 scales:usize scaleCount:i32 widest:i32 offsets:usize accepted:usize counts:usize votes:usize candidates:usize candidateCount:i32 mostCandidates:i32 detections:usize detectionCount:i32 mostDetections:i32 patches:usize nearest:usize nearestCount:i32 mostNearest:i32 words:usize places:usize',
);

export const candidateRecord = /* @__PURE__ */ defineRecord<
  'x' | 'y' | 'width' | 'height' | 'number' | 'vote' | 'scale' | 'record'
>('x:f32 y:f32 width:f32 height:f32 number:u32 vote:f32 scale:i32 record:i32');

export const detectionRecord = /* @__PURE__ */ defineRecord<
  'x' | 'y' | 'width' | 'height' | 'relative' | 'conservative' | 'patch' | 'spare'
>('x:f64 y:f64 width:f64 height:f64 relative:f64 conservative:f64 patch:usize spare:i32');

export const objectFrameRecord = /* @__PURE__ */ defineRecord<
  | 'gray'
  | 'grayStride'
  | 'width'
  | 'height'
  | 'blurred'
  | 'blurredStride'
  | 'sums'
  | 'squares'
  | 'sumStride'
  | 'levels'
  | 'levelCount'
  | 'serial'
>(
  'gray:usize grayStride:i32 width:i32 height:i32 blurred:usize blurredStride:i32 sums:usize squares:usize sumStride:i32 levels:usize levelCount:i32 serial:i32',
);

export const objectModelRecord = /* @__PURE__ */ defineRecord<
  | 'leastVariance'
  | 'fernThreshold'
  | 'nearestThreshold'
  | 'validThreshold'
  | 'negativeOverlap'
  | 'sameThreshold'
  | 'relative'
  | 'conservative'
  | 'nearestPositive'
  | 'nearestNegative'
  | 'patch'
  | 'learned'
  | 'noise'
  | 'warps'
  | 'firstWarps'
  | 'random'
  | 'fractions'
  | 'posteriors'
  | 'fernPositives'
  | 'fernNegatives'
  | 'positives'
  | 'positiveCount'
  | 'mostPositives'
  | 'negatives'
  | 'negativeCount'
  | 'mostNegatives'
  | 'correlations'
>(
  'leastVariance:f64 fernThreshold:f64 nearestThreshold:f64 validThreshold:f64 negativeOverlap:f64 sameThreshold:f64 relative:f64 conservative:f64 nearestPositive:f64 nearestNegative:f64 patch:usize learned:i32 noise:f32 warps:i32 firstWarps:i32 random:u32 fractions:usize posteriors:usize fernPositives:usize fernNegatives:usize positives:usize positiveCount:i32 mostPositives:i32 negatives:usize negativeCount:i32 mostNegatives:i32 correlations:usize',
);

export const boxMotionRecord = /* @__PURE__ */ defineRecord<
  | 'x'
  | 'y'
  | 'width'
  | 'height'
  | 'residual'
  | 'error'
  | 'found'
  | 'kept'
  | 'count'
  | 'points'
  | 'moved'
  | 'valid'
  | 'errors'
  | 'correlations'
>(
  'x:f64 y:f64 width:f64 height:f64 residual:f64 error:f64 found:i32 kept:i32 count:i32 points:usize moved:usize valid:usize errors:usize correlations:usize',
);

export const appearanceRecord = /* @__PURE__ */ defineRecord<
  | 'windowX'
  | 'windowY'
  | 'windowSide'
  | 'windowFrame'
  | 'mask'
  | 'directions'
  | 'twiddles'
  | 'label'
  | 'masks'
  | 'channels'
  | 'spectra'
  | 'response'
  | 'follower'
  | 'trusted'
  | 'prepared'
  | 'views'
  | 'viewCount'
>(
  'windowX:f64 windowY:f64 windowSide:f64 windowFrame:i32 mask:i32 directions:usize twiddles:usize label:usize masks:usize channels:usize spectra:usize response:usize follower:usize trusted:usize prepared:usize views:usize viewCount:i32',
);

export const sightRecord = /* @__PURE__ */ defineRecord<'x' | 'y' | 'width' | 'height' | 'value'>(
  'x:f64 y:f64 width:f64 height:f64 value:f64',
);

export const groupRecord = /* @__PURE__ */ defineRecord<
  'x' | 'y' | 'width' | 'height' | 'relative' | 'conservative' | 'members' | 'spare'
>('x:f64 y:f64 width:f64 height:f64 relative:f64 conservative:f64 members:i32 spare:i32');

export const keeperRecord = /* @__PURE__ */ defineRecord<
  | 'x'
  | 'y'
  | 'width'
  | 'height'
  | 'usual'
  | 'minConfidence'
  | 'sightX'
  | 'sightY'
  | 'sightWidth'
  | 'sightHeight'
  | 'sightValue'
  | 'sighted'
  | 'placed'
  | 'learning'
  | 'chain'
  | 'shown'
  | 'trustedFor'
  | 'doubtFor'
  | 'probation'
  | 'preparedFor'
  | 'kept'
  | 'prepares'
>(
  'x:f64 y:f64 width:f64 height:f64 usual:f64 minConfidence:f64 sightX:f64 sightY:f64 sightWidth:f64 sightHeight:f64 sightValue:f64 sighted:i32 placed:i32 learning:i32 chain:i32 shown:i32 trustedFor:i32 doubtFor:i32 probation:i32 preparedFor:i32 kept:i32 prepares:i32',
);
