/** The diameter over time: one chart per eye, below the image. */
import type { Laterality, PupilResult } from '../../src/index.ts';
import { eyeOf } from '../../src/internal.ts';
import type { ElementParts } from '../base/element-parts.ts';
import type { Settings } from '../base/kind.ts';
import type { ChartBox, ChartModel } from '../tools/chart/model.ts';
import { eyeName } from '../base/views.ts';
import { chartBoxStyle } from '../tools/charts.ts';
import { css } from 'lit';

/** Styles of the numbers. */
const numbersStyle = css`
  /* Three figures, and a line of details. */
  .readout {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 4px 18px;
  }
  .readout div {
    flex: 0 0 calc((100% - 36px) / 3);
    min-width: min-content;
  }
  .readout div:nth-child(n + 4) {
    display: flex;
    flex: 0 0 20%;
    gap: 6px;
    min-width: 0;
  }
  /* The last one, since its width changes with its value. */
  .readout div:nth-child(4) {
    flex-grow: 1;
    order: 1;
  }
  @container (max-width: 620px) {
    .readout div:nth-child(n + 4) {
      flex-basis: 45%;
    }
  }
  .readout div:nth-child(n + 4) dd {
    font-size: 12px;
  }
`;

export const pupilStyle = [chartBoxStyle, numbersStyle];

// Which eyes a `<foveola-pupil>` shows, and their names.

/** Eye of each pupil with these settings. */
function eyesOf({ eyes, view, eye }: Settings): Laterality[] {
  const count = eyes === 2 ? 2 : 1;
  const how = { eyes: count, view: view as 'unknown', eye: eye as Laterality };
  return Array.from({ length: count }, (_, index) => eyeOf(index, how));
}

/** Unit of the diameters. */
export const unitOf = (own: { readonly millimetresPerPixel: number | null }): 'px' | 'mm' =>
  own.millimetresPerPixel === null ? 'px' : 'mm';

export const pupilCharts = (
  { host, settings }: ElementParts<PupilResult>,
  own: { readonly millimetresPerPixel: number | null },
): ChartModel<PupilResult> => ({
  boxes: () => {
    const { strings: s, element } = host;
    const eyes = eyesOf(settings.all);
    return eyes.map((eye, i): ChartBox => {
      // With one eye, no name if it is not known which eye it is.
      const name = eyes.length < 2 && eye === 'unknown' ? '' : eyeName(s, eye, i, element.mirror);
      return { label: eyes.length < 2 ? s.chart : `${s.chart}, ${name}`, name, unit: unitOf(own), eye };
    });
  },
  samples: ({ pupils }) =>
    pupils.map(({ found, diameter, diameterMm, confidence }) => [
      [found ? (unitOf(own) === 'mm' ? (diameterMm ?? NaN) : diameter) : NaN],
      confidence,
    ]),
});
