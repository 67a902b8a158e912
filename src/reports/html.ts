/**
 * A report as one page for people. It prints to A4 and PDF. It is a separate file without scripts or addresses. All
 * external text is escaped, and a built-in policy blocks all scripts. It is made to be saved or shown in a sandboxed
 * frame, not to be inserted into a page.
 */
import { correctionsText } from '../results/export-vessels.ts';
import { RecordCheck, escaped } from './check.ts';
import { groupsOf, sideOf, type Group, type GroupSide, type PanelName, panels } from './groups.ts';
import { commonScale, seriesPlot } from './html-plots.ts';
import type { PupilReport, Report } from './report.ts';
import { rounded, unitOf } from './units.ts';

/** One A4 page, in print and on a screen. Black on white, because it is copied and faxed. */
export const style = `
@page { size: A4; margin: 12mm; }
* { box-sizing: border-box; }
html { background: #e9ecef; color: #111; font: 9.5pt/1.35 "Helvetica Neue", Arial, "Liberation Sans", sans-serif; }
body { margin: 0; }
main { width: 210mm; min-height: 297mm; margin: 6mm auto; padding: 12mm; background: #fff; display: flex; flex-direction: column; }
header { display: flex; justify-content: space-between; align-items: flex-start; gap: 8mm; border-bottom: 1.5pt solid #111; padding-bottom: 3mm; }
h1 { font-size: 17pt; line-height: 1.15; margin: 0; font-weight: 600; }
header div p { margin: 1mm 0 0; color: #444; }
.notice { flex: none; margin: 0; border: 1pt solid #111; padding: 1.2mm 2.5mm; font-weight: 600; font-size: 9pt; max-width: 60mm; text-align: center; }
h2 { font-size: 11pt; margin: 4.5mm 0 1.5mm; font-weight: 600; }
.facts { display: grid; grid-template-columns: 1fr 1fr; gap: 0 8mm; margin: 3mm 0 0; }
.facts div { display: grid; grid-template-columns: 26mm 1fr; border-bottom: .4pt solid #ccc; padding: .7mm 0; }
dt { color: #444; }
dd { margin: 0; overflow-wrap: anywhere; }
.warnings { border-left: 3pt solid #111; background: #f4f4f4; margin: 3.5mm 0 0; padding: 1.5mm 3mm; }
.warnings strong { display: block; }
.warnings ul { margin: 0; padding-left: 4.5mm; }
.plots { display: grid; grid-template-columns: 1fr 1fr; gap: 6mm; }
figure { margin: 0; }
tr, figure, .sign { break-inside: avoid; }
figcaption { font-weight: 600; margin-bottom: .5mm; }
small { font-weight: normal; color: #444; font-size: 8pt; }
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 8.5px; fill: #333; }
.grid { stroke: #ccc; stroke-width: .5; }
.blink { fill: #ddd; }
.closure { fill: #bbb; }
.loss { fill: #111; }
.onset { stroke: #111; stroke-width: 1; stroke-dasharray: 3 2; }
.filled { fill: none; stroke: #999; stroke-width: 1; stroke-dasharray: 1.5 1.5; }
.measured { fill: none; stroke: #0b3d91; stroke-width: 1.2; stroke-linejoin: round; }
.key { color: #444; font-size: 8pt; margin: .5mm 0 0; }
img { display: block; max-width: 100%; max-height: 80mm; margin: 0 auto; }
td small { white-space: nowrap; }
table { border-collapse: collapse; width: 100%; font-size: 8.8pt; font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .5mm 1.2mm; border-bottom: .4pt solid #ccc; font-weight: normal; }
thead th { border-bottom: .8pt solid #111; font-weight: 600; vertical-align: bottom; }
tbody th, thead th:first-child { text-align: left; padding-left: 0; }
td.unit, th.unit { text-align: left; color: #444; padding-right: 0; }
th.section { font-weight: 600; padding-top: 2mm; }
.pair { display: grid; grid-template-columns: 54fr 46fr; gap: 6mm; align-items: start; }
.stack table { width: auto; min-width: 105mm; }
tbody th { white-space: nowrap; }
thead th { max-width: 24mm; }
footer { margin-top: auto; padding-top: 4mm; color: #333; font-size: 7.5pt; overflow-wrap: anywhere; }
footer p { margin: .6mm 0 0; }
.sign { display: flex; gap: 8mm; color: #111; font-size: 9pt; margin: 0 0 4mm; }
.sign span { flex: 1; border-top: .6pt solid #111; padding-top: .8mm; margin-top: 9mm; }
@media print {
  html { background: none; }
  main { width: auto; min-height: 270mm; margin: 0; padding: 0; }
}
`;

export interface HtmlOptions {
  /** Shown below the title of the report, such as the clinic or the study. */
  heading?: string;
  /** Name of the patient as printed. Default: the reference of the portal. */
  patientName?: string;
  /** A PNG to include, for instance the result of `overlayPng`. */
  picture?: { png: Uint8Array; title: string };
}

const sideNames: Readonly<Record<GroupSide, string>> = { left: 'Left eye', right: 'Right eye', both: 'Both eyes' };
const sideName = (side: GroupSide | null) => (side ? sideNames[side] : 'Eye, side not known');
/** The right eye is on the left, as when you look at a face. */
const order = (a: { laterality: GroupSide | null }, b: { laterality: GroupSide | null }) =>
  Number(a.laterality === 'left') - Number(b.laterality === 'left');

const check: RecordCheck = new RecordCheck('toHtml');
export const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
/** Maximum number of parameter characters that fit at the bottom of the page. */
const MOST_PARAMETERS = 700;

/** Returns the whole file. */
export function toHtml(report: Report, options: HtmlOptions = {}): string {
  check.object('options', options);
  const { notice, created } = report;
  const panel = report.kind === 'pupil' ? panels.pupilReport : panels.retinaReport;
  const { heading, picture } = options;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(`${panel.display}, ${moment(report.started)}`)}</title>
<style>${style}</style>
</head>
<body>
<main>
<header><div><h1>${escaped(panel.display)}</h1>${heading ? `<p>${escaped(heading)}</p>` : ''}</div><p class="notice">${escaped(notice)}</p></header>
<dl class="facts">${facts(report, options)}</dl>
${warningsOf(report)}
${report.kind === 'pupil' ? plots(report) : ''}
${picture ? `<h2>${escaped(picture.title)}</h2><img alt="${escaped(picture.title)}" src="data:image/png;base64,${base64(picture.png)}">` : ''}
${valueTables(report)}
${normsKey(report)}
<footer>
<p class="sign"><span>Reviewed by</span><span>Date</span></p>
<p>Report ${escaped(report.id)}, made ${escaped(moment(created))}. ${escaped(notice)} Values have not been verified by a person unless signed above.</p>
${report.source.sha256 ? `<p>SHA-256 of the source: ${report.source.sha256}</p>` : ''}
<p>Parameters: ${escaped(parametersText(report.parameters))}</p>
</footer>
</main>
</body>
</html>
`;
}

/** What z is. Nothing without norms. */
const normsKey = (report: Report): string =>
  report.kind === 'pupil' && report.norms
    ? `<p class="key">${escaped(`z: distance from the mean of the norm in standard deviations, for ${report.norms.age} years. Norms: ${report.norms.source}.`)}</p>`
    : '';

/** '2026-05-04 09:30:00 UTC', independent of the reader's time zone. */
export const moment = (instant: string) => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`;

function scaleText(report: Report): string {
  if (report.kind === 'pupil') {
    const { calibration, unit } = report;
    if (!calibration) return 'Not calibrated. Lengths are in pixels.';
    const { uncertaintyPercent: percent } = calibration;
    const how = [...(calibration.method ? [calibration.method] : []), ...(percent === null ? [] : [`± ${percent} %`])];
    const method = how.length ? ` (${how.join(', ')})` : '';
    return `${Number(calibration.millimetresPerPixel.toPrecision(5))} mm per pixel${method}${unit === 'px' ? ', not used' : ''}`;
  }
  const { scale } = report;
  if (!scale) return 'Not calibrated. Lengths are in pixels.';
  const from = scale.from === 'file' ? 'from the file' : 'as given';
  return `${Number(scale.micrometresPerPixel.toPrecision(5))} µm per pixel, ${from}${report.unit === 'px' ? ', not used' : ''}`;
}

function facts(report: Report, { patientName }: HtmlOptions): string {
  const { started, ended, camera, source, software, version, patient, encounter, about = {} } = report;
  const duration = ended ? ` (${((Date.parse(ended) - Date.parse(started)) / 1000).toFixed(1)} s)` : '';
  const size = source.width && source.height ? ` (${source.width} x ${source.height})` : '';
  const cameraText =
    camera && [camera.name, camera.model, camera.serial && `no. ${camera.serial}`].filter(Boolean).join(', ');
  const list: [string, string | null][] = [
    ['Patient', patientName ?? patient ?? (about.subject ? null : 'not given')],
    ['Subject', about.subject ?? null],
    ['Session', about.session ?? null],
    ['Trial', about.trial ?? null],
    ['Note', about.note ?? null],
    ['Measured', moment(started) + duration],
    ['Encounter', encounter],
    ...(report.kind === 'retina' ? ([['Eye', sideName(report.laterality)]] as [string, string][]) : []),
    ['Source', source.name && source.name + size],
    ['Camera', cameraText],
    ['Quality', report.kind === 'pupil' && report.quality ? framesText(report) : null],
    ['Calibration', scaleText(report)],
    ['Corrected', report.kind === 'retina' && report.corrections ? correctionsText(report.corrections) : null],
    ['Software', `${software} ${version}`],
  ];
  return list
    .filter((fact): fact is [string, string] => fact[1] !== null)
    .map(([name, value]) => `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`)
    .join('');
}

/** The quality of the recording in one line: 'frames 260, frames with a pupil 1, ...'. */
const framesText = (report: PupilReport): string =>
  groupsOf(report)
    .filter(({ panel }) => panel === 'recording')
    .flatMap(({ values }) => values)
    .map(({ measure, unit, value }) => `${measure.display.toLowerCase()} ${rounded(value!, unit)} ${unit.text}`.trim())
    .join(', ');

function warningsOf(report: Report): string {
  const ofGroups = groupsOf(report).flatMap((group) =>
    group.warnings.map((warning) => `${sideName(group.laterality)}: ${warning}`),
  );
  const counts = new Map<string, number>();
  for (const warning of [...report.warnings, ...ofGroups]) counts.set(warning, (counts.get(warning) ?? 0) + 1);
  if (!counts.size) return '';
  const items = Array.from(counts, ([text, n]) => `<li>${escaped(text)}${n > 1 ? ` (${n} times)` : ''}</li>`).join('');
  return `<div class="warnings"><strong>Warnings</strong><ul>${items}</ul></div>`;
}

function plots(report: PupilReport): string {
  const scale = commonScale(report.eyes);
  if (!scale) return '';
  const unit = unitOf('length', report.unit).text;
  const byPlace = [...report.eyes].sort((a, b) => order({ laterality: sideOf(a) }, { laterality: sideOf(b) }));
  const figures = byPlace.flatMap((eye) => {
    const name = sideName(sideOf(eye));
    const plot = seriesPlot(eye, scale, `Diameter of the pupil over time, ${name}`);
    return plot
      ? [
          `<figure><figcaption>${escaped(name)} <small>${escaped(unit)} over seconds</small></figcaption>${plot}</figure>`,
        ]
      : [];
  });
  if (!figures.length) return '';
  const key =
    'Solid: measured. Dotted: interpolated. Gray: blink. Dark gray: closure. Bar at the bottom: loss. Dashed line: onset of the stimulus.';
  return `<h2>Diameter over time</h2><div class="plots">${figures.join('')}</div><p class="key">${key}</p>`;
}

interface Section {
  heading: string;
  panels: readonly PanelName[];
  /** One column per group (a stimulus, a task) instead of one per eye. */
  each?: true;
}

/** In the order of the page. Each section has a table. The quality of the recording is among the facts. */
const sections: readonly Section[] = [
  { heading: 'Light reflex', panels: ['reflex'], each: true },
  { heading: panels.postIllumination.display, panels: ['postIllumination'], each: true },
  { heading: panels.near.display, panels: ['near'], each: true },
  {
    heading: 'Recording',
    panels: ['series', 'blinks', 'hippus', 'netPostIllumination', 'unrest', 'darkAdaptation'],
  },
  { heading: panels.average.display, panels: ['average'] },
  { heading: 'Comparison of both eyes', panels: ['anisocoria', 'afferentDefect'] },
  { heading: 'Response to tasks', panels: ['task'], each: true },
  { heading: panels.retina.display, panels: ['retina'] },
];

/** Up to this number of columns, two tables fit next to each other. */
const NARROW = 2;

function sectionOf(
  all: readonly Group[],
  { heading, panels, each }: Section,
): { html: string; columns: number } | null {
  const groups = all.filter(({ panel }) => panels.includes(panel));
  if (!groups.length) return null;
  const sides = [...new Set(groups.map(({ laterality }) => laterality))];
  const columns = each
    ? groups.map((group): [string, Group[]] => [columnHead(group, groups), [group]])
    : sides.map((side): [string, Group[]] => [sideName(side), groups.filter((one) => one.laterality === side)]);
  const notes = [each ? stimuliText(groups) : '', ...groups.map(({ finding }) => finding ?? '')].filter(Boolean);
  const key = notes.length ? `<p class="key">${escaped(notes.join(' '))}</p>` : '';
  const html = `<h2>${escaped(heading)}</h2>${table(columns)}${key}`;
  return { html: `<section>${html}</section>`, columns: columns.length };
}

/** The values of all groups: each reflex and task, the recording, and the comparison of both eyes. */
function valueTables(report: Report): string {
  const groups = groupsOf(report).sort(order);
  const found = sections.flatMap((section) => sectionOf(groups, section) ?? []);
  const narrow = found.length > 1 && found.every(({ columns }) => columns <= NARROW);
  return `<div class="${narrow ? 'pair' : 'stack'}">${found.map(({ html }) => html).join('')}</div>`;
}

function columnHead(group: Group, all: readonly Group[]): string {
  const same = all.filter(({ laterality }) => laterality === group.laterality);
  return sideName(group.laterality) + (same.length > 1 ? ` ${same.indexOf(group) + 1}` : '');
}

/** Description of the stimuli or tasks. If all are equal, it is printed only once. */
function stimuliText(groups: readonly Group[]): string {
  const known = [...new Set(groups.map(({ stimulus }) => stimulus))];
  const what = groups[0]!.panel === 'task' ? 'Task' : 'Stimulus';
  if (known.length === 1) return known[0] ? `${what}: ${known[0]}` : '';
  return groups.map((group) => `${columnHead(group, groups)}: ${group.stimulus ?? 'not known'}`).join('; ');
}

/** Columns consist of a heading and groups, whose values are listed one after another. Each row is one code. */
function table(columns: readonly [string, readonly Group[]][]): string {
  const values = columns.map(
    ([, groups]) => new Map(groups.flatMap((group) => group.values.map((one) => [one.measure.code, one]))),
  );
  const codes = [...new Set(values.flatMap((column) => [...column.keys()]))];
  const head = columns.map(([name]) => `<th scope="col">${escaped(name)}</th>`).join('');
  const rows = codes.map((code) => {
    const { measure, unit } = values.find((column) => column.has(code))!.get(code)!;
    const cells = values.map((column) => {
      const { value = null, norm } = column.get(code) ?? {};
      const z = typeof norm?.z === 'number' ? ` <small>(z ${norm.z.toFixed(1)})</small>` : '';
      return `<td>${value === null ? '–' : rounded(value, unit).toFixed(unit.digits) + z}</td>`;
    });
    return `<tr><th scope="row">${escaped(measure.display)}</th>${cells.join('')}<td class="unit">${escaped(unit.text)}</td></tr>`;
  });
  return `<table><thead><tr><th></th>${head}<th class="unit"></th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function parametersText(parameters: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(parameters)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ');
  if (!text) return 'none given';
  return text.length > MOST_PARAMETERS
    ? `${text.slice(0, MOST_PARAMETERS)} … (all of them in the other forms of this report)`
    : text;
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
