// Unpacks an image with four samples per texel to one sample per pixel.
uniform SAMPLER source;
out ONE value;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  value = texelFetch(source, ivec2(p.x >> 2, p.y), 0)[p.x & 3];
}
