import { Value } from '../../runtime/wasm/value';
import { tileRoom } from '../preparation/tiles';

/** Bytes that a search of images of this width needs to work in; the tiles' part comes first. */
export function searchRoom(width: i32): Value {
  return tileRoom() + 65536 + 4 * width;
}
