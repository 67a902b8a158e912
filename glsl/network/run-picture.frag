// A plane as a tensor of one channel. Beyond the plane its last samples are repeated.
uniform sampler2D source;
out vec4 value;

void main() {
  ivec2 p = min(ivec2(gl_FragCoord.xy), textureSize(source, 0) - 1);
  value = vec4(texelFetch(source, p, 0).r, 0, 0, 0);
}
