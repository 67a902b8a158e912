interface Gray {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Both halves of the image are the middle of the given one, as the paper doubles its pupils. */
export function doubled({ width, height, data }: Gray): Gray {
  const half = width >> 1;
  const from = (width - half) >> 1;
  const out = new Uint8Array(2 * half * height);
  for (let y = 0; y < height; y++)
    for (const k of [0, 1]) out.set(data.subarray(y * width + from, y * width + from + half), y * 2 * half + k * half);
  return { width: 2 * half, height, data: out };
}
