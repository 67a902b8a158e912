/** What share of the light the skin gives back, painted by place on the neutral face. */
import { smoothStep, clamp } from '../../eyes/arithmetic.ts';
import { noiseTile, TILE } from '../../eyes/texture.ts';
import { breadthAt, heightOf } from './labels.ts';
import type { Look } from './look-settings.ts';

const MASK = TILE - 1;
const gauss = (x: number) => Math.exp(-x * x);

export class SkinPaint {
  /** Red, green, blue of the last place. */
  readonly color = new Float64Array(3);
  /** Its gloss, 0 and up. */
  gloss = 0;
  private readonly fine = noiseTile(1);
  private readonly medium = noiseTile(4);
  private readonly coarse = noiseTile(16);
  private readonly dx: number;
  private readonly dy: number;
  /** Height above which shaved hair darkens the scalp; none when Infinity. */
  constructor(
    private readonly look: Look,
    seed: number,
    private readonly scalp: number,
    /** 0..1: how far the cheeks are drawn up. */
    private readonly smile: number,
  ) {
    this.dx = seed & MASK;
    this.dy = (seed >>> 9) & MASK;
  }

  private noise(tile: Float32Array, x: number, y: number): number {
    return tile[((Math.floor(y) + this.dy) & MASK) * TILE + ((Math.floor(x) + this.dx) & MASK)];
  }

  private blend(color: readonly number[], share: number): void {
    const c = this.color;
    for (let k = 0; k < 3; k++) c[k] += (color[k] - c[k]) * share;
  }

  private darken(share: number): void {
    const c = this.color;
    const keep = 1 - clamp(share, 0, 0.95);
    // blood and shade leave more of the red
    c[0] *= 1 - 0.8 * (1 - keep);
    c[1] *= keep;
    c[2] *= keep;
  }

  /** Skin anywhere: hands, too. */
  plain(x: number, y: number, z: number): void {
    const { skin, blotches } = this.look;
    const u = x * (1 + 0.06 * (11 - z));
    const gain =
      1 +
      blotches * 0.5 * this.noise(this.coarse, 14 * u, 14 * y) +
      blotches * 0.3 * this.noise(this.medium, 16 * u, 16 * y) +
      blotches * 0.25 * this.noise(this.fine, 14 * u, 14 * y);
    for (let k = 0; k < 3; k++) this.color[k] = skin[k] * Math.max(0.3, gain);
    this.gloss = 1;
  }

  /** Place on the neutral face and its marks (Mark in person.ts). */
  face(
    x: number,
    y: number,
    z: number,
    lip: number,
    seam: number,
    along: number,
    above: number,
    lid: number,
    fold: number,
  ) {
    const { look } = this;
    this.plain(x, y, z);
    const c = this.color;
    const side = Math.abs(x);
    const front = z > 4;
    const nose = gauss(x / 1.6) * gauss((y - 0.3) / 1.6);
    const cheek = gauss((side - 4) / 1.9) * gauss((y - 0.2) / 1.9);
    const red = look.redness * (cheek + 0.8 * nose + 0.4 * gauss(x / 2) * gauss((y + 6.5) / 1));
    c[1] *= 1 - 0.5 * red;
    c[2] *= 1 - 0.45 * red;
    this.gloss = 0.55 + 0.7 * nose + 0.7 * gauss(x / 3.5) * smoothStep(6.5, 8, y) + 0.3 * cheek;
    if (front) {
      if (look.freckles > 0 && y > -3 && y < 5) {
        const spot = this.noise(this.fine, 7 * x, 7 * y) + 0.5 * this.noise(this.medium, 9 * x, 9 * y);
        if (spot > 1.6) this.darken(0.45 * look.freckles * smoothStep(1.6, 2.2, spot) * (cheek + nose + 0.3));
      }
      this.lines(x, y, side, lid, fold);
      if (lip > -0.6 && y < -1) this.lips(x, y, lip, seam);
      this.lids(x, y, side, lid);
    }
    this.beard(x, y, z, side, lip);
    if (front && y > 3.5 && y < 9.5) this.brow(x, y, along, above);
    if (y > this.scalp - 2 && (y > this.scalp + 2 || z < 9)) this.stubbledScalp(x, y, z);
  }

  private lines(x: number, y: number, side: number, lid: number, fold: number): void {
    const { age, circles } = this.look;
    const wander = 0.12 * this.noise(this.coarse, 12 * x, 5 * y);
    const deep = age + this.smile;
    this.darken((0.08 + 0.27 * deep) * gauss((fold + wander) / 0.17) + 0.07 * deep * gauss((fold + wander) / 0.5));
    // under the eye: a dark hollow, and its lower edge
    if (y < 3.4 && y > 0) {
      const below = lid + 0.02;
      this.darken(circles * smoothStep(1.7, 0.5, below) * gauss((side - 3) / 1.9));
      this.darken(0.25 * age * gauss((below - 0.95 + wander) / 0.12) * gauss((side - 2.9) / 1.4));
    }
    if (y > 7.2 && y < 11) {
      const wave = Math.sin(5.5 * (y + 0.25 * this.noise(this.coarse, 6 * x, 3 * y)) + 0.6 * gauss(x / 3));
      this.darken(0.28 * age * age * smoothStep(0.75, 1, wave) * gauss(x / 4.5));
    }
    if (side < 1 && y > 4.8 && y < 7.5) this.darken(0.3 * age * gauss((side - 0.5) / 0.12) * gauss((y - 6) / 0.8));
    // crow's feet
    if (side > 4.7 && side < 6.3 && y > 2.2 && y < 5)
      this.darken(0.25 * age * age * smoothStep(0.6, 1, Math.sin(9 * (y - 3.5) * (1 + 0.2 * (side - 5)))));
    // nostrils are deeper than the mesh has them
    this.darken(0.85 * gauss((side - 0.62) / 0.3) * gauss((y + 0.98) / 0.16));
  }

  private lips(x: number, y: number, lip: number, seam: number): void {
    const { lips } = this.look;
    const wander = 0.03 * this.noise(this.medium, 14 * x, 14 * y);
    const share = lips.opacity * smoothStep(-0.09, 0.07, lip + wander);
    this.blend(lips.color, share);
    if (lip > 0) {
      this.darken(0.12 * Math.abs(this.noise(this.fine, 16 * x, 3 * y)));
      this.darken(0.7 * gauss(seam / 0.1));
      this.gloss += share * (0.6 + 2.5 * lips.shine) - 0.3;
    } else if (y < -4.2) this.darken(0.12 * gauss((lip + 0.35) / 0.25) * gauss(x / 1.4));
  }

  private lids(x: number, y: number, side: number, lid: number): void {
    const { liner, shadow, crease, lash } = this.look;
    if (lid > 2) return;
    const upper = y > 3.3;
    this.darken((0.5 + 0.4 * liner) * gauss(lid / (upper ? 0.15 + 0.08 * lash : 0.08)) * (upper ? 1 : 0.5));
    // the inner corner
    if (upper) {
      const line = 0.3 + 0.12 * crease;
      this.darken((0.15 + 0.3 * crease) * gauss((lid - line) / 0.07) * gauss((side - 3.2) / 1.8));
      this.darken(0.6 * shadow * smoothStep(1, 0.1, lid));
    }
    this.gloss *= lid < 0.5 ? 0.5 : 1;
  }

  private beard(x: number, y: number, z: number, side: number, lip: number): void {
    const { beard } = this.look;
    const most = Math.max(beard.stubble, beard.mustache, beard.chin, beard.cheeks);
    if (most === 0 || y > 4 || lip > 0.05) return;
    const wander = 0.2 * beard.ragged * this.noise(this.medium, 8 * x + 3 * z, 8 * y);
    const off = smoothStep(-0.02, -0.16, lip);
    const mustache = gauss((y + 2.0 + 0.12 * side * side * 0.4) / 0.65) * smoothStep(3.3, 2.5, side + wander) * off;
    const chin =
      smoothStep(-4.5, -5.2, y + 0.5 * wander) * smoothStep(3.6, 2.4, side + wander) +
      0.9 * gauss((side - 2.9) / 0.5) * smoothStep(-1.6, -2.4, y) * smoothStep(-6.5, -5, y);
    // the line of the cheek runs from the ear down to the corner of the mouth
    const line = -3.4 + 0.75 * Math.max(0, side - 2.6) + 0.11 * Math.max(0, side - 4.5) ** 2;
    const cheeks = smoothStep(line + 0.5, line - 0.7, y + wander) * smoothStep(1.5, 2.6, side + (y < -5 ? 2 : 0));
    const neck = smoothStep(-11.5, -9.5, y + wander) * smoothStep(1.5, 3, z);
    const all = Math.min(1, mustache + chin + cheeks) * neck * off;
    const hair = 0.75 + 0.3 * this.noise(this.fine, 15 * x, 7 * y + 4 * z);
    const density = Math.max(
      beard.mustache * mustache,
      beard.chin * Math.min(1, chin) * neck * off,
      beard.cheeks * all,
      0,
    );
    this.darken(beard.stubble * all * (0.65 + 0.35 * this.noise(this.fine, 22 * x, 22 * y)));
    this.blend(beard.color, clamp(density * hair * 1.15, 0, 0.97));
    this.gloss *= 1 - 0.7 * clamp(density, 0, 1);
  }

  private brow(x: number, y: number, along: number, above: number): void {
    const { brow } = this.look;
    if (along < -0.6 || along > 1.4 || Math.abs(above + 0.6) > 1.9) return;
    const middle = heightOf(brow, along);
    const half = brow.half * breadthAt(along);
    const hair = this.noise(this.fine, 34 * along + 5 * above, 10 * above - 12 * along);
    const ragged = 0.07 * this.noise(this.medium, 22 * x, 14 * y) + 0.07 * hair;
    const across = smoothStep(
      half + 0.1 * brow.soft,
      half - 0.16 * brow.soft - 0.05,
      Math.abs(above - middle) + ragged,
    );
    const ends =
      smoothStep(brow.from - 0.05, brow.from + 0.06, along + 0.3 * ragged) *
      smoothStep(brow.to + 0.08, brow.to - 0.12, along);
    const joined = along < brow.from ? brow.joined * across : 0;
    this.blend(brow.color, clamp(brow.opacity * Math.max(across * ends, joined) * (0.85 + 0.25 * hair), 0, 0.97));
    this.gloss *= 1 - 0.8 * across * ends;
  }

  private stubbledScalp(x: number, y: number, z: number): void {
    const share = smoothStep(this.scalp - 1, this.scalp + 1, y + 0.4 * this.noise(this.medium, 6 * x, 6 * z));
    this.darken(0.4 * share * (0.8 + 0.2 * this.noise(this.fine, 20 * x, 20 * z)));
  }
}
