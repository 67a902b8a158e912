// The points of the forward pass, and below them those of the backward pass, in one texture for reading.
uniform usampler2D there;
uniform usampler2D back;
out uvec4 point;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int rows = textureSize(there, 0).y;
  point = p.y < rows ? texelFetch(there, p, 0) : texelFetch(back, p - ivec2(0, rows), 0);
}
