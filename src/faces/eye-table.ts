/** Constants of the eye measures, fitted to rendered faces and written by `npm run lab -- train-eyes`. */
// prettier-ignore
export const eyeTable = {
  /** Height of an eye divided by its width. Below this, it counts as closed if nothing else is known about it. */
  closed: 0.151,
  /** Mean height of both eyes, relative to their open height. Below this, they are shut. */
  shut: 0.776,
  /** Minimum correlation of an iris with its disc. */
  clearness: 0.5,
  /** Minimum gray value below the eye, relative to the nose. Darker eyes have dark glasses. */
  bare: 0.79,
  /** Weights of the gaze to the right of the image, and up (gaze.ts). */
  across: [0.984, 0.032, -0.199, 0.686],
  up: [0.713, 0.016, -0.265, 0.525, 0.914, 0.307],
  /** Minimum width of an eye in pixels. */
  width: 8,
  /** Minimum similarity of a face that has returned. */
  like: 0.61,
};
