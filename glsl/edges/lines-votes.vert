// One vote of the Hough transform for lines: vertex `edge * angles + angle` lies on the counter of that edge's distance
// at that angle. Tables of cosines and sines over rho; halves to even.
uniform usampler2D list;
uniform sampler2D tables;
uniform int width;
uniform int angles;
uniform int distances;

void main() {
  int edge = gl_VertexID / angles;
  int angle = gl_VertexID - edge * angles;
  int across = textureSize(list, 0).x;
  int index = int(texelFetch(list, ivec2(edge % across, edge / across), 0).r);
  vec2 table = texelFetch(tables, ivec2(angle, 0), 0).rg;
  float rho = float(index % width) * table.x + float(index / width) * table.y;
  int counter = int(roundEven(rho)) + ((distances - 1) >> 1);
  // One counter of zeros lies around all others.
  vec2 at = (vec2(counter, angle) + 1.5) / vec2(distances + 2, angles + 2);
  gl_Position = vec4(2.0 * at - 1.0, 0.0, 1.0);
  gl_PointSize = 1.0;
}
