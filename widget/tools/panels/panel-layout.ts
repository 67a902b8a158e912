/** Order of the settings in the panel, by element: the ones that matter first, the others in groups. */
import type { Strings } from '../../strings/index.ts';

export type GroupName = keyof Strings['settingsWords']['groups'];

export interface PanelLayout {
  /** Always shown. The element may add further ones, such as a region. */
  readonly first: readonly string[];
  /** Never shown, because they have their own control elsewhere. */
  readonly hidden?: readonly string[];
  readonly groups?: Readonly<Partial<Record<GroupName, readonly string[]>>>;
}

const layouts: Readonly<Record<string, PanelLayout>> = {
  pupil: {
    first: ['eyes', 'minDiameter', 'maxDiameter'],
    hidden: ['millimetresPerPixel', 'outline'],
    groups: {
      detection: [
        ...['method', 'variant', 'fit', 'polarity', 'view', 'eye', 'minConfidence', 'minContrast', 'candidates'],
        ...['tracking', 'maxBlink', 'glints', 'secondOpinion'],
      ],
      reflections: [
        ...['reflections', 'reflectionSize', 'reflectionThreshold', 'reflectionDilation', 'smoothing'],
        ...['gaussianSize', 'gaussianSigma', 'medianSize'],
      ],
      rays: ['rays', 'secondaryRays', 'minGradient', 'sets', 'voteDistance', 'epsilon', 'iterations'],
      methods: ['thresholdFrom', 'thresholdTo', 'thresholdStep', 'guard', 'angleStep', 'houghSide'],
      speed: ['workingDiagonal', 'tilesOnDemand', 'depth'],
    },
  },
  face: {
    first: ['detectEvery', 'minSize', 'maxFaces', 'minScore'],
    groups: {
      detection: ['maxSize', 'scaleFactor', 'minNeighbors', 'scaling', 'step', 'maxSide', 'grouping'],
    },
  },
  track: {
    first: ['minConfidence', 'learning', 'rotation', 'nearestThreshold'],
    groups: {
      detection: ['variant', 'grid', 'minSize', 'fernThreshold', 'validThreshold', 'candidates', 'seed'],
      learning: ['sameThreshold', 'negativeOverlap', 'firstWarps', 'warps', 'noise', 'positives', 'negatives'],
      motion: ['flowPoints', 'flowWindow', 'flowLevels', 'flowResidual'],
    },
  },
  vessels: {
    first: ['thresholdFactor', 'sigma'],
    hidden: ['variant', 'scales', 'measures', 'micrometresPerPixel'],
  },
  // Of the parameters of an operation, the first four of this list.
  filter: {
    first: ['low', 'high', 'sigma', 'threshold', 'max', 'window', 'levels', 'iterations', 'patch', 'variant'],
    hidden: ['segments'],
  },
};

export const layoutOf = (scope: string): PanelLayout => layouts[scope] ?? { first: [] };

/** Number of settings that the panel opens with. */
const most = 4;

export interface Arranged {
  readonly first: readonly string[];
  /** The others, by group. Null: their group has no name. */
  readonly rest: readonly (readonly [group: GroupName | null, names: readonly string[]])[];
}

/** Arranges the parameters of a table. A table without any of the first ones is shown as it is. */
export function arranged(names: readonly string[], { first, hidden = [], groups = {} }: PanelLayout): Arranged {
  const shown = names.filter((name) => !hidden.includes(name));
  const leading = first.filter((name) => shown.includes(name)).slice(0, most);
  if (!leading.length) return { first: shown, rest: [] };
  let left = shown.filter((name) => !leading.includes(name));
  const rest: [GroupName | null, readonly string[]][] = [];
  for (const [group, listed] of Object.entries(groups) as [GroupName, readonly string[]][]) {
    const own = listed.filter((name) => left.includes(name));
    left = left.filter((name) => !own.includes(name));
    if (own.length) rest.push([group, own]);
  }
  if (left.length) rest.push([rest.length ? 'others' : null, left]);
  return { first: leading, rest };
}
