// Motion of the points of a face in 32-bit floats, equivalent to src/faces/motion.ts. It is a scale and a shift, fitted
// to the points found forward and backward, then only to those that move consistently. A face is a row of three texels:
// the moved box of its landmarks horizontally and vertically in the format of glsl/faces/landmarks-fixed.glsl, then x,
// y, span and whether it is valid. Each texel computes all of it.
uniform usampler2D from;
uniform usampler2D there;
uniform usampler2D back;
/**
 * Two texels per face: first point, number of points, limit of the forward-backward error, and x, y and span of the
 * box.
 */
uniform usampler2D faces;
/** Minimum share of points that agree, maximum distance in medians, minimum and maximum scale. */
uniform vec4 rules;
out uvec4 box;

ivec2 cell(int i) {
  int columns = textureSize(from, 0).x;
  return ivec2(i % columns, i / columns);
}

vec2 start(int i) {
  return uintBitsToFloat(texelFetch(from, cell(i), 0).xy);
}

vec2 end(int i) {
  return uintBitsToFloat(texelFetch(there, cell(i), 0).xy);
}

int first;
int count;
/** Coordinates relative to this point stay small. */
vec2 origin;
/** Distance of each point from the motion. Below 0: not used. */
float away[MOST];

struct Motion {
  float scale;
  vec2 shift;
  bool fits;
};

Motion fit() {
  vec2 p = vec2(0.0);
  vec2 q = vec2(0.0);
  float n = 0.0;
  for (int i = 0; i < count; i++) {
    if (away[i] < 0.0) continue;
    p += start(first + i) - origin;
    q += end(first + i) - origin;
    n += 1.0;
  }
  p /= max(n, 1.0);
  q /= max(n, 1.0);
  float product = 0.0;
  float spread = 0.0;
  for (int i = 0; i < count; i++) {
    if (away[i] < 0.0) continue;
    vec2 d = start(first + i) - origin - p;
    product += dot(d, end(first + i) - origin - q);
    spread += dot(d, d);
  }
  if (!(n >= 2.0 && spread > 0.0)) return Motion(1.0, vec2(0.0), false);
  float scale = product / spread;
  return Motion(scale, q - scale * p, true);
}

/** The upper of the two middle values among the used points. */
float median(int n) {
  for (int i = 0; i < count; i++) {
    if (away[i] < 0.0) continue;
    int less = 0;
    int notMore = 0;
    for (int j = 0; j < count; j++) {
      if (away[j] < 0.0) continue;
      less += int(away[j] < away[i]);
      notMore += int(away[j] <= away[i]);
    }
    if (less <= n >> 1 && n >> 1 < notMore) return away[i];
  }
  return 0.0;
}

Motion motion(float limit) {
  int good = 0;
  for (int i = 0; i < count; i++) {
    uvec4 home = texelFetch(back, cell(first + i), 0);
    bool found = texelFetch(there, cell(first + i), 0).z == 1u && home.z == 1u;
    bool used = found && length(uintBitsToFloat(home.xy) - start(first + i)) < limit;
    away[i] = used ? 0.0 : -1.0;
    good += int(used);
  }
  Motion all = fit();
  if (float(good) < rules.x * float(count)) all.fits = false;
  if (!all.fits) return all;
  for (int i = 0; i < count; i++)
    if (away[i] >= 0.0)
      away[i] = length(all.scale * (start(first + i) - origin) + all.shift - (end(first + i) - origin));
  // Once more without points that do not move consistently.
  float most = max(1.0, rules.y * median(good));
  for (int i = 0; i < count; i++) if (away[i] > most) away[i] = -1.0;
  Motion better = fit();
  if (!better.fits) better = all;
  better.fits = better.scale > rules.z && better.scale < rules.w;
  return better;
}

uvec4 axis(float begin, float side) {
  float whole = floor(side);
  float low = floor(begin);
  uint part = uint((begin - low) * 536870912.0) + (1u << 28);
  uint rest = uint(int(low) & 7) << 29;
  uint word = rest + part;
  return uvec4(uint(whole), uint((side - whole) * 4294967296.0), uint((int(low) >> 3) + (word < rest ? 1 : 0)), word);
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  uvec4 face = texelFetch(faces, ivec2(0, p.y), 0);
  vec3 known = uintBitsToFloat(texelFetch(faces, ivec2(1, p.y), 0).xyz);
  first = int(face.x);
  count = int(face.y);
  origin = start(first);
  Motion moved = motion(uintBitsToFloat(face.z));
  vec3 place = known;
  if (moved.fits) place = vec3(moved.scale * (known.xy - origin) + moved.shift + origin, moved.scale * known.z);
  // Range of the integers. No image is larger.
  place = clamp(place, vec3(-8e6, -8e6, 0.0), vec3(8e6));
  box = p.x == 2 ? uvec4(floatBitsToUint(place), moved.fits) : axis(p.x == 0 ? place.x : place.y, place.z);
}
