/** What the plug-ins share: elements, the extension, and the ends of trials. */
import type { JsPsych, PluginInfo, TrialType } from 'jspsych';
import { PupilExtension } from './extension.ts';

/** Parameters of a trial, after jsPsych has filled in the defaults. */
export type Given<I extends PluginInfo> = Required<TrialType<I>>;

type Content = string | Node;

/** A new element with these properties and contents. Builds no markup, so that pages can forbid inline scripts and styles. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...contents: Content[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...contents);
  return made;
}

export const button = (text: string): HTMLButtonElement =>
  element('button', { className: 'jspsych-btn', type: 'button' }, text);

/** A muted video of the camera, mirrored like a mirror. Null without a camera. */
export function cameraVideo(stream: MediaStream | null): HTMLVideoElement | null {
  if (!stream) return null;
  const video = element('video', { muted: true, playsInline: true, autoplay: true, srcObject: stream });
  video.style.maxWidth = '100%';
  return video;
}

/** The extension of this experiment. Throws if it is missing. */
export function extensionOf(jsPsych: JsPsych): PupilExtension {
  const extension: unknown = jsPsych.extensions[PupilExtension.info.name];
  if (extension instanceof PupilExtension) return extension;
  throw new Error('Add { type: PupilExtension } to the extensions of initJsPsych().');
}

/** Clears the screen and ends the trial with these data. */
export function finish(jsPsych: JsPsych, display: HTMLElement, data: object): void {
  display.replaceChildren();
  jsPsych.finishTrial({ ...data });
}

/** jsPsych's simulation of a trial: the default data with the data of the experimenter, at once. */
export function simulateTrial(jsPsych: JsPsych, data: object, options: { data?: object }, onLoad?: () => void): void {
  onLoad?.();
  jsPsych.finishTrial({ ...data, ...options?.data });
}

/** A screen of one color that covers the page. */
export function fullScreen(color: string): HTMLDivElement {
  const screen = element('div');
  Object.assign(screen.style, { position: 'fixed', inset: '0', background: color, cursor: 'none' });
  return screen;
}

/** Time of the next animation frame, ms. */
export const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Changes the color in the first animation frame after `ms`, and returns the time of that frame. */
export async function colorAfter(screen: HTMLElement, ms: number, color: string): Promise<number> {
  const due = performance.now() + ms;
  let now = await nextFrame();
  while (now < due) now = await nextFrame();
  screen.style.background = color;
  return now;
}
