// Distance between a pixel and its position after the forward flow and then the backward flow. Infinite if it leaves
// the frame.
uniform sampler2D there;
uniform sampler2D back;
out float far;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 size = textureSize(back, 0);
  vec2 u = texelFetch(there, p, 0).rg;
  vec2 place = vec2(p) + u;
  if (place != clamp(place, vec2(0.0), vec2(size - 1))) {
    far = intBitsToFloat(0x7f800000);
    return;
  }
  ivec2 corner = min(ivec2(place), max(size - 2, 0));
  ivec2 other = min(corner + 1, size - 1);
  vec2 f = place - vec2(corner);
  vec2 top = mix(texelFetch(back, corner, 0).rg, texelFetch(back, ivec2(other.x, corner.y), 0).rg, f.x);
  vec2 low = mix(texelFetch(back, ivec2(corner.x, other.y), 0).rg, texelFetch(back, other, 0).rg, f.x);
  far = length(u + mix(top, low, f.y));
}
