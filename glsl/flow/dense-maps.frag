// The fields of a flow as separate maps, from the texel of dense-judge.frag.
uniform sampler2D judged;
#ifdef CHECKED
// Distance between start and end of each pixel, and its limit.
uniform sampler2D far;
uniform float most;
#endif
layout(location = 0) out float u;
layout(location = 1) out float v;
layout(location = 2) out uint valid;
layout(location = 3) out float confidence;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 texel = texelFetch(judged, p, 0);
  u = texel.x;
  v = texel.y;
#ifdef CHECKED
  if (!(texelFetch(far, p, 0).x <= most)) texel.zw = vec2(0.0);
#endif
  confidence = texel.z;
  valid = uint(texel.w);
}
