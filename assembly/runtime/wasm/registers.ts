/**
 * Loads values through 16 bytes of scratch. V8 moves everything that it can compute without memory into the loop that
 * uses it, including constants, splats and row addresses, and computes it in every step. A value loaded before the loop
 * stays in its register.
 */
export class Register {
  static vector(v: v128, scratch: usize): v128 {
    v128.store(scratch, v);
    return v128.load(scratch);
  }

  static address(p: usize, scratch: usize): usize {
    store<usize>(scratch, p);
    return load<usize>(scratch);
  }
}
