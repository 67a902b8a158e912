// Camera preview, then four trials with a bright or a dark screen, then the data. `?demo` draws an eye in place of a
// camera, and `?simulate` runs jsPsych's simulation without a camera.
/* global initJsPsych, jsPsychModule, jsPsychFoveola */
const { CameraPreviewPlugin, PupilExtension } = jsPsychFoveola;
const address = new URLSearchParams(location.search);

/** A camera that sees a drawn eye, whose pupil is small while the page is white. */
function drawnCamera() {
  const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 240 });
  const context = canvas.getContext('2d');
  let radius = 35;
  const disc = (color, r) => {
    context.fillStyle = color;
    context.beginPath();
    context.arc(160, 120, r, 0, 2 * Math.PI);
    context.fill();
  };
  setInterval(() => {
    radius += ((document.body.style.backgroundColor === 'white' ? 22 : 35) - radius) / 10;
    context.fillStyle = '#c9a58c';
    context.fillRect(0, 0, 320, 240);
    disc('#eee', 110);
    disc('#7a8a6a', 75);
    disc('#080808', radius);
  }, 1000 / 30);
  return canvas.captureStream();
}

/** A screen of one color for a while. */
class ScreenPlugin {
  static info = {
    name: 'screen',
    version: '1.0.0',
    parameters: {
      color: { type: jsPsychModule.ParameterType.STRING, default: 'white' },
      duration: { type: jsPsychModule.ParameterType.INT, default: 1000 },
    },
    data: { color: { type: jsPsychModule.ParameterType.STRING } },
  };
  constructor(jsPsych) {
    this.jsPsych = jsPsych;
  }
  trial(display, { color, duration }) {
    document.body.style.backgroundColor = color;
    this.jsPsych.pluginAPI.setTimeout(() => this.jsPsych.finishTrial({ color }), duration);
  }
  simulate({ color }, mode, options, onLoad) {
    onLoad();
    this.jsPsych.finishTrial({ color });
  }
}

const jsPsych = initJsPsych({
  extensions: [
    {
      type: PupilExtension,
      params: {
        library: import('./foveola/foveola.js'),
        tracker: { method: 'robust' },
        ...(address.has('demo') && { stream: drawnCamera() }),
      },
    },
  ],
  on_finish() {
    document.body.style.backgroundColor = '';
    document.body.replaceChildren(
      Object.assign(document.createElement('pre'), { id: 'data', textContent: jsPsych.data.get().json() }),
    );
  },
});

const repetitions = Number(address.get('repetitions') ?? 2);
const timeline = [
  { type: CameraPreviewPlugin },
  ...Array.from({ length: 2 * repetitions }, (_, i) => ({
    type: ScreenPlugin,
    color: i % 2 ? 'black' : 'white',
    extensions: [{ type: PupilExtension }],
  })),
];
if (address.has('simulate')) jsPsych.simulate(timeline, 'data-only');
else jsPsych.run(timeline);
