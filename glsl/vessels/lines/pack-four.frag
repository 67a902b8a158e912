// Four samples of a row in one texel. Samples beyond its end are undefined.
uniform SAMPLER source;
out FOUR samples;

ONE at(ivec2 p) {
  return texelFetch(source, min(p, textureSize(source, 0) - 1), 0).x;
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy) * ivec2(4, 1);
  samples = FOUR(at(p), at(p + ivec2(1, 0)), at(p + ivec2(2, 0)), at(p + ivec2(3, 0)));
}
