// What a kernel returns that finds a number for its caller. Other kernels return a status, 0: all went well.
export type Value = i32;
