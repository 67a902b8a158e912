// Rounded means of 2x2 pixels, as in assembly/faces/resize.ts.
uniform usampler2D source;
out uint mean;

void main() {
  ivec2 p = 2 * ivec2(gl_FragCoord.xy);
  uint upper = texelFetch(source, p, 0).r + texelFetch(source, p + ivec2(1, 0), 0).r;
  uint lower = texelFetch(source, p + ivec2(0, 1), 0).r + texelFetch(source, p + 1, 0).r;
  mean = (upper + lower + 2u) >> 2;
}
