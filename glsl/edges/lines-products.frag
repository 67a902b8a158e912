// Texel (i, angle): i cos / rho and i sin / rho, as the bits of 32-bit floats. They are stored in memory, so that no
// compiler can fuse them with the sum in the vote shader. The CPU (WASM) also rounds twice.
uniform usampler2D tables;
out uvec2 products;

void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec2 table = uintBitsToFloat(texelFetch(tables, ivec2(p.y, 0), 0).rg);
  products = floatBitsToUint(float(p.x) * table);
}
