const FIRST_ROOM = 64 * 1024;

const ZERO = 0x30;

/** So few bytes are copied faster one by one. */
const FEW = 32;

/** Bytes that are put together, in one buffer that grows and is used again. */
export class BytesOut {
  #bytes = Buffer.allocUnsafe(FIRST_ROOM);
  #end = 0;

  byte(byte: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#end++] = byte;
  }

  /** A whole number from zero, in decimal digits. */
  number(value: number): void {
    let digits = 1;
    for (let rest = value; rest >= 10; rest /= 10) digits += 1;
    this.#makeRoom(digits);
    this.#end += digits;
    for (let rest = value, at = this.#end; digits > 0; digits--) {
      this.#bytes[--at] = ZERO + (rest % 10);
      rest = Math.floor(rest / 10);
    }
  }

  copy(bytes: Uint8Array, from: number, to: number): void {
    this.#makeRoom(to - from);
    if (to - from > FEW) this.#bytes.set(bytes.subarray(from, to), this.#end);
    else for (let at = from; at < to; at++) this.#bytes[this.#end + at - from] = bytes[at] as number;
    this.#end += to - from;
  }

  /** All that was put, until something is put again. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#end);
    this.#end = 0;
    return taken;
  }

  #makeRoom(count: number): void {
    if (this.#end + count <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(2 * (this.#end + count));
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#bytes = grown;
  }
}
