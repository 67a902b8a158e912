// Prints what the page of `bench hardware objects` gave.
import { atLeast, fixed } from '../../../bench/parts/report.mjs';

/** Paper 004, table 3: milliseconds a frame of H-TLD (i7-4770K and Tesla K40) and of its sequential baseline. */
export const PAPER = { '480x270': [3.71, 10.16], '960x540': [6.19, 37.52], '1920x1080': [11.95, 122.46] };

/** Where the paper's table has 10.25. */
const LARGE = '1920x1080';

/** The paper's figure is of the split; a backend that it does not mean counts for itself. */
const BACKENDS = [
  ['GPU', 'the split of the paper, GPU and WASM'],
  ['WASM', 'WASM alone'],
];

const COMPONENTS = ['variance', 'compaction', 'indices', 'confidence', 'blur', 'integral', 'flow', 'waiting', 'others'];

/** 'car 480x270, GPU' -> [clip, size, mode] */
function split(name) {
  const [where, ...mode] = name.split(', ');
  const [clip, size] = where.split(' ');
  return [clip, size, mode.join(', ')];
}

export function printHardware(report, { machine, ...all }) {
  const software = machine.software ? ' Software: these figures say only that everything runs.' : '';
  report.line(
    `${machine.renderer}, ${machine.processors} processors. The tracker as published (variant 'paper') where no other is named; one frame after the other, milliseconds; frames lie in the linear memory, uploads and read-backs are inside.${software}`,
  );
  const runs = Object.entries(all).filter(([, value]) => value.ms || value.error);
  const scalarOf = (clip, size) => all[`${clip} ${size}, scalar`];
  report.table([
    ['', 'size', 'side', 'ms a frame', 'times the scalar', 'paper: H-TLD / sequential', 'same results'],
    ...runs.map(([name, run]) => {
      const [clip, size, mode] = split(name);
      const scalar = scalarOf(clip, size);
      return [
        clip,
        size,
        mode,
        run.error ?? fixed(run.ms, 2),
        fixed(scalar?.ms / run.ms, 2),
        PAPER[size].map((v) => fixed(v, 2)).join(' / '),
        run.digest === '' ? '' : run.digest === scalar?.digest ? 'yes' : 'NO',
      ];
    }),
  ]);
  for (const clip of new Set(runs.map(([name]) => split(name)[0]))) {
    const scalar = scalarOf(clip, LARGE);
    for (const [backend, words] of BACKENDS) {
      const ratios = runs
        .filter(([name, { ms }]) => name.startsWith(`${clip} ${LARGE}, ${backend}`) && ms)
        .map(([, { ms }]) => scalar?.ms / ms);
      if (ratios.length)
        report.line(atLeast(`${clip} ${LARGE}, times the scalar, ${words}`, Math.max(...ratios), 10.25));
    }
  }
  report.line('By components, mean milliseconds on the processor:');
  report.table([
    ['', 'size', 'side', ...COMPONENTS.map((name) => ({ flow: 'LK', waiting: 'waiting for the GPU' })[name] ?? name)],
    ...runs
      .filter(([, { components }]) => components)
      .map(([name, { components = {} }]) => [...split(name), ...COMPONENTS.map((c) => fixed(components[c], 2))]),
  ]);
  const flows = Object.entries(all).filter(([name]) => name.endsWith('Lucas-Kanade'));
  if (flows.length) {
    report.line(
      'Lucas-Kanade of median flow, there and back, on the GPU (the split of the paper) and in WASM (in use):',
    );
    const names = Object.keys(flows[0][1]);
    report.table([
      ['', 'size', ...names],
      ...flows.map(([name, value]) => [...split(name).slice(0, 2), ...names.map((of) => value[of])]),
    ]);
  }
  const parts = Object.entries(all).filter(([name]) => name.endsWith('parts on the GPU'));
  if (!parts.length) return;
  const columns = Object.keys(parts.find(([, value]) => !value.error)?.[1] ?? {});
  report.line('On the GPU, milliseconds of its clock:');
  report.table([
    ['', 'size', ...columns],
    ...parts.map(([name, value]) => [
      ...split(name).slice(0, 2),
      ...columns.map((c) => (Number.isInteger(value[c]) ? value[c] : fixed(value[c], 3))),
    ]),
  ]);
}
