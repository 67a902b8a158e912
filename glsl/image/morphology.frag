// One doubling step of erosion (EXTREME min) or dilation (max): the window of the result is the union of four copies of
// the source's window, shifted by -before and +after in both directions. Coordinates are clamped. The windows contain
// their center pixel, so this equals ignoring samples outside the image. RESIDUE: original minus the result, the last
// step of the white top-hat.
uniform usampler2D source;
uniform int before;
uniform int after;
#ifdef RESIDUE
uniform usampler2D original;
#endif
out uint extreme;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 a = max(p - before, 0);
  ivec2 b = min(p + after, textureSize(source, 0) - 1);
  uint top = EXTREME(texelFetch(source, a, 0).r, texelFetch(source, ivec2(b.x, a.y), 0).r);
  uint bottom = EXTREME(texelFetch(source, ivec2(a.x, b.y), 0).r, texelFetch(source, b, 0).r);
  extreme = EXTREME(top, bottom);
#ifdef RESIDUE
  extreme = texelFetch(original, p, 0).r - extreme;
#endif
}
