// Initial state of the filling: color with 1 if known, confidence (1 is 2^31), no origins.
uniform sampler2D source;
uniform usampler2D mask;
layout(location = 0) out uvec4 pixel;
layout(location = 1) out uint confidence;
layout(location = 2) out uint origin;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  bool known = texelFetch(mask, p, 0).r == 0u;
  pixel = uvec4(uvec3(texelFetch(source, p, 0).rgb * 255.0 + 0.5), known ? 1u : 0u);
  confidence = known ? 0x80000000u : 0u;
  origin = 0xffffffffu;
}
