/** Numbers of the eyes' measures, fitted to rendered faces and written by `npm run train:eyes`. */
// prettier-ignore
export const eyeTable = {
  /** Height of an eye by its width below which it counts as closed where nothing else is known of it. */
  closed: 0.127,
  /** Mean height of both eyes by what they have when they are open, below which they are shut. */
  shut: 0.693,
  /** Least correlation of an iris with its disc. */
  clearness: 0.5,
  /** Least gray below the eye by that of the nose: darker are glasses. */
  bare: 0.76,
  /** Weights of the gaze to the right of the picture, and up (gaze.ts). */
  across: [0.757, 0.025, -0.167, 0.545],
  up: [0.346, 0.004, -0.187, 0.404, 0.752, 0.127],
  /** Least width of an eye, pixels. */
  width: 8,
  /** Least resemblance of a face that is back. */
  like: 0.65,
};
