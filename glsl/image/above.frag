uniform sampler2D source;
uniform float level;
out uint mask;

void main() {
  mask = texelFetch(source, ivec2(gl_FragCoord.xy), 0).r > level ? 255u : 0u;
}
