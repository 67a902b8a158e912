// Return type of kernels that compute a number for their caller. Other kernels return a status, 0 for success.
export type Value = i32;
