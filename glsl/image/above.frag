uniform sampler2D source;
uniform float mapLevel;
out uint mask;

void main() {
  mask = texelFetch(source, ivec2(gl_FragCoord.xy), 0).r > mapLevel ? 255u : 0u;
}
