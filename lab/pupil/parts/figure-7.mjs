// Figure 7 of the paper on pupil tracking: its steps with frames a second and speed-ups (one eye, two eyes) as its text gives
// them, each with what stands for it here: a switch of lab/pupil/ladder, or why there is none.
const none = (why) => ({ why });
const off = (step) => ({ step });

const STEPS = [
  ['OpenMP', '-', '-', '-', none('threads of the WASM side: table of frames in flight')],
  ['naive CUDA, NPP for the filters', 21, 1, 1.3, none('no library of filters to begin with: passes are our own')],
  ['custom preprocessing kernels', 38.6, 1.8, 2.3, none('the same')],
  ['random numbers made once', 62.4, 2.8, 3.7, off('RANSAC table')],
  ['separable filters', 203.2, 9.2, 11, off('separable passes')],
  ['shared memory', 257.9, 11.7, 13.6, none('WebGL2 has no shared memory in a fragment shader; packed texels cut the fetches')],
  ['memory allocated before', 378.8, 17.2, 19, off('texture pool')],
  ['pinned memory', 428.6, 19.5, 21.2, none('the browser owns the upload’s memory')],
  ['reduction by shuffles', 449.4, 20.4, 22, none('fragments do not talk to each other: one fragment fits a set and counts its votes')],
  ['kernels joined', 512.6, 23.3, 25.2, off('fused passes')],
  ['templates, loops unrolled', 530.3, 24.1, 26.6, off('unrolled loops')],
  ['streams', 629.4, 28.6, 30.3, off('asynchronous read-back')],
  ['bytes for 32-bit integers', 667.9, 30.4, 31.7, off('packed texels')],
  ['fast math', 677.9, 30.8, 33.1, none('a shader has no such switch; WASM has to agree')],
  ['reflections skipped, not filled', 725.7, 33, 34.6, off('reflection skipping')],
  ['synchronizations removed', 740.4, 33.7, 35.3, none('fragments do not synchronize')],
  ['less copied to the host', 747.4, 34, 37.2, off('one read-back')],
  ['threads used again', 753, 34.2, 37.5, none('the driver spreads fragments over the chip')],
  ['reduction by ballot', 760.2, 34.6, 37.5, none('as with shuffles')],
  ['streams for two eyes', '-', '-', 40.8, none('both eyes together and each alone: table of rates')],
  ['pipelining', 1260, 57.3, 58.5, off('pipelining')],
]; // prettier-ignore

/** Prints it beside the rates of whole frames with one optimization switched off. */
export function figure7(report, result) {
  const rate = (step) => result[`ladder of whole frames, ${step}`]?.fps;
  const pair = (step) => result[`ladder of two eyes, ${step}`]?.fps;
  const all = rate('everything on');
  if (!all) return;
  report.heading('Figure 7: the paper’s steps, one after the other, and what stands for each here');
  report.table([
    [
      'step of the paper',
      'its frames a second',
      'speed-up, one eye',
      'two eyes',
      'here, whole frames: frames a second without it',
      'with everything / without it',
      'the same, two eyes',
      'or why there is no such step',
    ],
    ...STEPS.map(([name, fps, one, two, { step, why = '' }]) => {
      const without = step && rate(step);
      return [
        name,
        fps,
        one,
        two,
        without ?? '',
        without ? all / without : '',
        step && pair(step) ? pair('everything on') / pair(step) : '',
        step && !without ? 'not measured' : why,
      ];
    }),
  ]);
  report.line(
    `The paper adds its steps one by one to a program of 21 frames a second and counts from a sequential program; here each is taken ` +
      `out of the finished whole (${all} frames a second, every frame searched as the first), since a shader without the others ` +
      'would not be the paper’s. Its figures are of 1280x1024 on a GTX 980, and so is the size here.',
  );
}
