/** Numbers of what a score says, fitted to rendered faces and written by `npm run train:judge -- --scores`. */
export const scoreTable = {
  /** Log odds of a face: these times those of the score, and a constant. */
  slope: 1.09,
  constant: -0.59,
};
