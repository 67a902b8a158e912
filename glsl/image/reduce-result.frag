// The last triple as three adjacent samples.
uniform SAMPLER source;
out SCALAR result;

void main() {
  result = texelFetch(source, ivec2(0), 0)[int(gl_FragCoord.x)];
}
