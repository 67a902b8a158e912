uniform usampler2D source;
uniform uint level;
uniform uint value;
out uint mask;

void main() {
  mask = texelFetch(source, ivec2(gl_FragCoord.xy), 0).r > level ? value : 0u;
}
