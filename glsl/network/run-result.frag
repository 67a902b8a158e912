// The channels of each pixel of a tensor, tightly packed. rows: of a group of the tensor.
uniform sampler2D source;
uniform int channels;
uniform int rows;
out float value;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int x = p.x / channels;
  int channel = p.x - x * channels;
  value = texelFetch(source, ivec2(x, p.y + (channel >> 2) * rows), 0)[channel & 3];
}
