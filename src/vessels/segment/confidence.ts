/** How sure it is that the picture is a fundus photograph whose vessels were found, and what speaks against it. */
import type { Extent } from './clean.ts';
import { solidity, type Contrasts } from './evidence.ts';
import type { ResponseLevels } from './levels.ts';
import type { WorkingPlane } from './working-plane.ts';

export interface Evidence {
  readonly plane: Pick<WorkingPlane, 'field' | 'fieldSize' | 'diameter' | 'block'>;
  /** Mean of red, green and blue inside the field; null for a gray picture. */
  readonly color: readonly [number, number, number] | null;
  readonly contrasts: Contrasts;
  readonly levels: ResponseLevels;
  readonly components: readonly Extent[];
  /** Bright areas that the mask outlines, and the share of the mask around them. */
  readonly outlined: { readonly count: number; readonly share: number };
  /** Share of the field that the mask covers. */
  readonly fraction: number;
}

// The limits below were chosen by hand on the fifteen photographs, their blurred copies and the other pictures of `npm run bench -- accuracy vessels`.

/** 0 below `low`, 1 above `high`, straight between. */
const ramp = (v: number, low: number, high: number) => Math.min(1, Math.max(0, (v - low) / (high - low)));

/** Each term is about 1 for fundus photographs; the product is the confidence. */
export function judge({ plane, color, contrasts, levels, components, outlined, fraction }: Evidence): {
  confidence: number;
  warnings: string[];
} {
  const warnings: string[] = [];
  const { field, fieldSize, diameter, block } = plane;
  if (!(levels.level > 0)) {
    return { confidence: 0, warnings: ['The picture has no structure in which vessels could be found.'] };
  }
  let confidence = 1;
  let doubts = 0;
  const against = (term: number, least: number, text: string) => {
    confidence *= least + (1 - least) * term;
    if (term >= 0.5) return;
    doubts++;
    warnings.push(text);
  };
  against(field.found ? 1 : 0, 0.5, 'No dark surround was found; the whole picture was taken as the field of view.');
  against(
    field.found ? ramp(field.area, 0.2, 0.4) : 1,
    0.3,
    'The field of view is a small part of the picture; is this a fundus photograph?',
  );
  if (field.found)
    against(
      ramp(solidity(field.mask, fieldSize.width, fieldSize.height), 0.82, 0.93),
      0.1,
      'What is not dark has no shape of an aperture; is this a fundus photograph?',
    );
  against(
    1 - ramp(contrasts.spread, 8, 12),
    0.15,
    'The brightness varies more than that of a retina; is this a fundus photograph?',
  );
  against(
    ramp(contrasts.darkness, 1.03, 1.18),
    0.3,
    'Its dark lines are no stronger than its bright ones; is this a fundus photograph?',
  );
  against(ramp(contrasts.sharpness, 0.56, 0.68), 0.2, 'The picture is too blurred: vessels run into one another.');
  against(ramp(diameter * block, 100, 300), 0.2, 'The field of view is too small for thin vessels to be seen.');
  if (color) {
    const [red, green, blue] = color;
    const warm = ramp((red - green) / (red + 1), 0.02, 0.15) * ramp((green - blue) / (green + 1), -0.3, 0);
    against(warm, 0.1, 'The colors are not those of a retina; is this a fundus photograph?');
  } else warnings.push('The picture is gray; it is taken for a green channel (red-free).');
  against(
    ramp(Math.sqrt(levels.otsu * levels.tenth) / levels.median, 2, 3),
    0.2,
    'The vessels hardly stand out from the noise.',
  );
  against(
    ramp(fraction, 0.01, 0.03) * (1 - ramp(fraction, 0.2, 0.3)),
    0.2,
    `The mask covers ${(100 * fraction).toFixed(1)} % of the field of view; retinal vessels cover 5 to 15 %.`,
  );
  const total = components.reduce((s, c) => s + c.area, 0);
  const trees = components.filter((c) => Math.max(c.width, c.height) > diameter / 6).reduce((s, c) => s + c.area, 0);
  against(ramp(total ? trees / total : 0, 0.2, 0.5), 0.2, 'What was found does not join into a tree of vessels.');
  if (outlined.count) {
    confidence *= 1 - outlined.share;
    doubts++;
    warnings.push(
      `The mask outlines ${outlined.count === 1 ? 'a bright area' : `${outlined.count} bright areas`}; lesions and reflections are not vessels. Check the mask there.`,
    );
  }
  if (confidence < 0.5 && !doubts) warnings.push('Several signs speak a little against a fundus photograph.');
  return { confidence, warnings };
}
