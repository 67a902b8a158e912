uniform usampler2D source;
uniform uint level;
uniform uint high;
out uint mask;

void main() {
  mask = texelFetch(source, ivec2(gl_FragCoord.xy), 0).r > level ? high : 0u;
}
