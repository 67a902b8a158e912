/** What following points comes to. */
export interface TrackedPoints {
  /** x, y of each point in the next frame, where it was last seen if it was lost. */
  points: Float32Array;
  /** 1: found. 0: left the frame, or its window has too little texture. */
  status: Uint8Array;
  /** Mean absolute difference of the two windows in gray levels; NaN where the status is 0. */
  error: Float32Array;
  /** How far from its start the point ends when it is tracked back, in pixels; NaN where either way fails. */
  forwardBackward?: Float32Array;
}

/** Of so many points. */
export function emptyResult(count: number, { forwardBackward }: { readonly forwardBackward: boolean }): TrackedPoints {
  return {
    points: new Float32Array(2 * count),
    status: new Uint8Array(count),
    error: new Float32Array(count),
    ...(forwardBackward && { forwardBackward: new Float32Array(count).fill(NaN) }),
  };
}
