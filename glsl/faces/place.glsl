// Positions of the windows of a search. Each scale has a part of one atlas. A texel of the atlas represents one window,
// or none (scale 255, or beyond the columns and rows). Four texels per scale:
// - 0: corner of its part, corner of its image
// - 1: columns, rows, step
// - 2: inner rectangle of the window
// - 3: its nominal area and one over its area, bits of floats, and 1 if integers are sufficient
uniform usampler2D scales;
uniform isampler2D places;

struct Window {
  /** Number of the scale, negative without a window. */
  int scale;
  /** Corner in the integral images. */
  ivec2 corner;
};

Window windowAt(ivec2 p) {
  int scale = int(texelFetch(scales, p, 0).r);
  if (scale == 255) return Window(-1, ivec2(0));
  ivec4 place = texelFetch(places, ivec2(0, scale), 0);
  ivec4 grid = texelFetch(places, ivec2(1, scale), 0);
  ivec2 at = p - place.xy;
  return Window(all(lessThan(at, grid.xy)) ? scale : -1, place.zw + at * grid.z);
}
