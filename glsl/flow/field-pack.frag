// What is read of a flow: 64 bits a pixel, two neighbors a texel. u and v by 22 bits in steps of 1 / unit, the confidence by 19,
// validity by one.
uniform sampler2D judged;
uniform float unit;
out uvec4 packed;

uvec2 pixel(ivec2 p) {
  vec4 texel = texelFetch(judged, min(p, textureSize(judged, 0) - 1), 0);
  uvec2 flow = uvec2(clamp(floor(texel.xy * unit + 0.5) + 2097152.0, 0.0, 4194303.0));
  uint confidence = uint(texel.z * 524287.0 + 0.5);
  return uvec2(flow.x | (flow.y << 22), (flow.y >> 10) | (confidence << 12) | (uint(texel.w) << 31));
}

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy) * ivec2(2, 1);
  packed = uvec4(pixel(p), pixel(p + ivec2(1, 0)));
}
