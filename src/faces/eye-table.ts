/** Numbers of the eyes' measures, fitted to rendered faces and written by `npm run train:eyes`. */
// prettier-ignore
export const eyeTable = {
  /** Height of an eye by its width below which it counts as closed where nothing is known of it. */
  closed: 0.13,
  /** The same by its height when it is open. */
  shut: 0.6,
  /** Least correlation of an iris. */
  clearness: 0.5,
  /** Weights of the gaze to the right of the picture, and up (gaze.ts). */
  across: [2.4, 0, 0, 0],
  up: [2.4, 0, 0, 0, 0, 0],
  /** Least width of an eye, pixels. */
  width: 12,
  /** Least likeness of a face that is back. */
  like: 0.75,
};
