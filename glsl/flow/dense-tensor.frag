// Inverse of the mean structure tensor (xx, xy, yy) and its smaller eigenvalue. The inverse is 0 if that is not above
// `least`.
uniform sampler2D rows;
uniform int reach;
uniform float least;
out vec4 inverse;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  int from = max(p.y - reach, 0);
  int to = min(p.y + reach, textureSize(rows, 0).y - 1);
  vec3 sum = vec3(0.0);
  for (int y = from; y <= to; y++) sum += texelFetch(rows, ivec2(p.x, y), 0).rgb;
  int window = 2 * reach + 1;
  sum /= float(window * window);
  float difference = 0.5 * (sum.x - sum.z);
  float larger = 0.5 * (sum.x + sum.z) + sqrt(difference * difference + sum.y * sum.y);
  float determinant = sum.x * sum.z - sum.y * sum.y;
  // det / larger keeps the digits that are lost in a difference of the two roots.
  float smaller = larger > 0.0 ? max(0.0, determinant / larger) : 0.0;
  inverse = smaller > least ? vec4(vec3(sum.z, -sum.y, sum.x) / determinant, smaller) : vec4(0.0, 0.0, 0.0, smaller);
}
