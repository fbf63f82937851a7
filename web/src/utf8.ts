// The server counts bytes of UTF-8, JavaScript units of UTF-16.

/** A function from a byte of the text to the unit that holds it. */
export function unitsOf(text: string): (byte: number) => number {
  const starts: number[] = []; // of each code point: its byte, its unit
  let byte = 0;
  let unit = 0;
  for (const point of text) {
    starts.push(byte, unit);
    const code = point.codePointAt(0)!;
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    unit += point.length;
  }
  starts.push(byte, unit);
  return (wanted) => {
    let low = 0;
    let high = starts.length / 2 - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[2 * middle]! <= wanted) low = middle;
      else high = middle - 1;
    }
    return starts[2 * low + 1] ?? 0;
  };
}
