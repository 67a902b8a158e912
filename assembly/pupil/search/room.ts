import { Value } from '../../runtime/wasm/value';
import { tileRoom } from '../preparation/tiles';

/** Scratch bytes of a search in images of this width. The part of the tiles is first. */
export function searchRoom(width: i32): Value {
  return tileRoom() + 65536 + 4 * width;
}
