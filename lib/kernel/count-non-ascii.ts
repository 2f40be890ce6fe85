/** Most shorter texts are ASCII, which their length in bytes shows at once. */
const SHORT = 1_024;

/** Room for the units of a text, which are read two at a time. Source: docs/performance.md#s5. */
const units = Buffer.alloc(64 * 1024);
const pairs = new Uint32Array(units.buffer, units.byteOffset, units.length / 4);
const CHUNK = units.length / 2;

/** The bits of two units that are ASCII have none of these. */
const BEYOND_ASCII = 0xff80ff80;
const FIRST = 0x0000ff80;
const SECOND = 0xff800000;

/** How many UTF-16 units of a text are not ASCII. Estimates of tokens charge more for them. */
export function countNonAscii(text: string): number {
  if (text.length < SHORT) return Buffer.byteLength(text) === text.length ? 0 : countOneByOne(text);
  let count = 0;
  for (let from = 0; from < text.length; from += CHUNK) count += countChunk(text.slice(from, from + CHUNK));
  return count;
}

function countOneByOne(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) count += 1;
  return count;
}

function countChunk(text: string): number {
  units.write(text, "utf16le");
  if (text.length % 2 === 1) units.writeUInt16LE(0, text.length * 2);
  const length = Math.ceil(text.length / 2);
  let count = 0;
  for (let at = 0; at < length; at += 1) {
    const pair = pairs[at] as number;
    if ((pair & BEYOND_ASCII) === 0) continue;
    if ((pair & FIRST) !== 0) count += 1;
    if ((pair & SECOND) !== 0) count += 1;
  }
  return count;
}
