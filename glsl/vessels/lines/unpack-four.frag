// One sample a pixel of an image of four a texel.
uniform SAMPLER source;
out ONE value;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  value = texelFetch(source, ivec2(p.x >> 2, p.y), 0)[p.x & 3];
}
