// RGBA to gray, (9798 R + 19235 G + 3735 B + 16384) >> 15: OpenCV's BT.601 in fixed point.
uniform sampler2D source;
out uint gray;

void main() {
  uvec3 c = uvec3(texelFetch(source, ivec2(gl_FragCoord.xy), 0).rgb * 255.0 + 0.5);
  gray = (9798u * c.r + 19235u * c.g + 3735u * c.b + 16384u) >> 15;
}
