// The flow at twice the size: twice the value, bilinear between the coarse pixels.
uniform sampler2D coarse;
out vec2 flow;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(coarse, 0) - 1;
  ivec2 a = min(p >> 1, last);
  ivec2 b = min((p + 1) >> 1, last);
  flow = 0.5 * (texelFetch(coarse, a, 0).rg + texelFetch(coarse, ivec2(b.x, a.y), 0).rg +
    texelFetch(coarse, ivec2(a.x, b.y), 0).rg + texelFetch(coarse, b, 0).rg);
}
