// Taubin's circle (1991) through five points, with the operations and order of assembly/pupil/search/circle.ts.
vec3 taubin(vec2 p0, vec2 p1, vec2 p2, vec2 p3, vec2 p4) {
  vec2 m = ((p0 + p1) + (p2 + p3) + p4) * 0.2;
  p0 -= m;
  p1 -= m;
  p2 -= m;
  p3 -= m;
  p4 -= m;
  vec4 x = vec4(p0.x, p1.x, p2.x, p3.x);
  vec4 y = vec4(p0.y, p1.y, p2.y, p3.y);
  vec4 z = x * x + y * y;
  float z4 = p4.x * p4.x + p4.y * p4.y;
#define MEAN(a, b, c, d) (((a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w) + c * d) * 0.2)
  float xx = MEAN(x, x, p4.x, p4.x);
  float yy = MEAN(y, y, p4.y, p4.y);
  float xy = MEAN(x, y, p4.x, p4.y);
  float xz = MEAN(x, z, p4.x, z4);
  float yz = MEAN(y, z, p4.y, z4);
  float zz = MEAN(z, z, z4, z4);
  float mz = xx + yy;
  float cov = xx * yy - xy * xy;
  // For points on a line, or only two different ones, the circle would be a rounding artifact. 0 is not a valid radius.
  if (!(cov > 1e-5 * (mz * mz))) return vec3(0.0);
  float a3 = 4.0 * mz;
  float a2 = -3.0 * (mz * mz) - zz;
  float xz2 = xz * xz;
  float yz2 = yz * yz;
  float a1 = ((zz * mz + (4.0 * cov) * mz) - (xz2 + yz2)) - (mz * mz) * mz;
  float a0 = ((xz2 * yy + yz2 * xx) - (zz * cov + (2.0 * (xz * yz)) * xy)) + (mz * mz) * cov;
  float e = 0.0;
  for (int i = 0; i < 5; i++) {
    float value = a0 + e * (a1 + e * (a2 + e * a3));
    float slope = a1 + e * (2.0 * a2 + e * (3.0 * a3));
    e -= value / slope;
  }
  float det = 2.0 * ((e * e - e * mz) + cov);
  vec2 c = vec2(xz * (yy - e) - yz * xy, yz * (xx - e) - xz * xy) / det;
  return vec3(c + m, sqrt((c.x * c.x + c.y * c.y) + mz));
}
