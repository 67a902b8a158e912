// Converts two images with four pixels per texel to images with one.
uniform sampler2D first;
uniform sampler2D second;
layout(location = 0) out float a;
layout(location = 1) out float b;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 q = ivec2(p.x >> 2, p.y);
  a = texelFetch(first, q, 0)[p.x & 3];
  b = texelFetch(second, q, 0)[p.x & 3];
}
