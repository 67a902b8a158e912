// Pictures for the judge: their size changed, turned by quarters, drawn.

/** The means of areas; a picture only gets smaller. */
export function shrink({ width, height, data }, w, h) {
  const out = new Uint8Array(w * h);
  const [fx, fy] = [width / w, height / h];
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) {
      let [sum, area] = [0, 0];
      for (let v = Math.floor(y * fy); v < Math.min(height, (y + 1) * fy); v++)
        for (let u = Math.floor(x * fx); u < Math.min(width, (x + 1) * fx); u++) {
          const share =
            (Math.min(v + 1, (y + 1) * fy) - Math.max(v, y * fy)) *
            (Math.min(u + 1, (x + 1) * fx) - Math.max(u, x * fx));
          sum += share * data[v * width + u];
          area += share;
        }
      out[y * w + x] = Math.round(sum / area);
    }
  return { width: w, height: h, data: out };
}

/** Turned by so many quarters. */
export function quarters({ width, height, data }, count) {
  const [w, h] = count % 2 ? [height, width] : [width, height];
  const out = new Uint8Array(w * h);
  const to = [
    (x, y) => [x, y],
    (x, y) => [height - 1 - y, x],
    (x, y) => [width - 1 - x, height - 1 - y],
    (x, y) => [y, width - 1 - x],
  ][count];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = to(x, y);
      out[v * w + u] = data[y * width + x];
    }
  return { width: w, height: h, data: out };
}

/** A bright or dark ellipse with soft spots, lines and noise: outlines of the size of a face with no face in them. */
export function drawEllipse(random, side = 90) {
  const data = new Uint8Array(side * side);
  const between = (low, high) => low + (high - low) * random();
  const [ground, level] = [between(0, 120), between(40, 230)];
  const [a, b] = [between(0.3, 0.42) * side, between(0.3, 0.42) * side];
  const noise = between(0, 6);
  const spots = Array.from({ length: Math.floor(between(0, 7)) }, () => ({
    x: between(0.2, 0.8) * side,
    y: between(0.2, 0.8) * side,
    size: between(0.03, 0.15) * side,
    depth: between(-80, 80),
  }));
  const lines = Array.from({ length: Math.floor(between(0, 6)) }, () => ({
    angle: between(0, Math.PI),
    at: between(0.25, 0.75) * side,
    width: between(0.5, 2.5),
    depth: between(-50, 30),
  }));
  // As vessels come from the optic disc.
  const rays = random() < 0.4 && spots.length ? Math.floor(between(4, 12)) : 0;
  for (let k = 0; k < rays; k++) {
    const angle = between(0, Math.PI);
    const at = Math.cos(angle) * spots[0].x + Math.sin(angle) * spots[0].y;
    lines.push({ angle, at: at + between(-2, 2), width: between(0.5, 1.5), depth: between(-40, -10) });
  }
  const sharp = between(0.3, 3);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [dx, dy] = [x - side / 2, y - side / 2];
      const edge = Math.hypot(dx / a, dy / b);
      const inside = 1 / (1 + Math.exp((edge - 1) * sharp * a));
      let value = level - 20 * edge;
      for (const spot of spots)
        value += spot.depth * Math.exp(-((x - spot.x) ** 2 + (y - spot.y) ** 2) / (2 * spot.size ** 2));
      for (const line of lines) {
        const away = Math.cos(line.angle) * x + Math.sin(line.angle) * y - line.at;
        value += line.depth * Math.exp(-(away ** 2) / (2 * line.width ** 2));
      }
      const gray = ground + inside * (value - ground) + noise * (random() + random() - 1);
      data[y * side + x] = Math.max(0, Math.min(255, Math.round(gray)));
    }
  return { width: side, height: side, data, box: { x: side / 2 - a, y: side / 2 - a, width: 2 * a, height: 2 * a } };
}

/** Strokes of print in a frame, or without: letters and digits are eyes and mouths to a cascade. */
export function drawStrokes(random, side = 90) {
  const data = new Uint8Array(side * side);
  const between = (low, high) => low + (high - low) * random();
  const [paper, ink] = random() < 0.75 ? [between(120, 240), between(0, 90)] : [between(0, 90), between(120, 240)];
  const width = between(1.5, 5);
  const lines = [];
  let [x, y] = [between(0.3, 0.7) * side, between(0.25, 0.75) * side];
  for (let k = Math.floor(between(2, 9)); k > 0; k--) {
    const [u, v] = [between(0.2, 0.8) * side, between(0.2, 0.8) * side];
    const next = random() < 0.6 ? [random() < 0.5 ? x : u, random() < 0.5 ? y : v] : [u, v];
    lines.push([x, y, ...next]);
    [x, y] = random() < 0.75 ? next : [between(0.2, 0.8) * side, between(0.2, 0.8) * side];
  }
  if (random() < 0.6) {
    const edge = between(0.02, 0.15) * side;
    const far = side - edge;
    lines.push([edge, 0, edge, side], [far, 0, far, side], [0, edge, side, edge], [0, far, side, far]);
  }
  const [slope, noise] = [between(-0.5, 0.5), between(0, 8)];
  for (let j = 0; j < side; j++)
    for (let i = 0; i < side; i++) {
      let covered = 0;
      for (const [a, b, c, d] of lines) {
        const long = (c - a) ** 2 + (d - b) ** 2 || 1;
        const along = Math.max(0, Math.min(1, ((i - a) * (c - a) + (j - b) * (d - b)) / long));
        const away = Math.hypot(i - a - along * (c - a), j - b - along * (d - b));
        covered = Math.max(covered, Math.max(0, Math.min(1, (width - away) / 1.5)));
      }
      const gray = paper + slope * (i - side / 2) + covered * (ink - paper) + noise * (random() + random() - 1);
      data[j * side + i] = Math.max(0, Math.min(255, Math.round(gray)));
    }
  return {
    width: side,
    height: side,
    data,
    box: { x: 0.15 * side, y: 0.15 * side, width: 0.7 * side, height: 0.7 * side },
  };
}
