/** The text of a file, or what is wrong with its encoding. */
export type FileText = { text: string } | { problem: string };

const MARKS: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0xff, 0xfe, 0, 0], "UTF-32"],
  [[0, 0, 0xfe, 0xff], "UTF-32"],
  [[0xff, 0xfe], "UTF-16"],
  [[0xfe, 0xff], "UTF-16"],
];
/** How much of a file is checked for zeros: Latin letters in UTF-16 have one in every second byte. Units: bytes. */
const LOOKED_AT = 64;

/** Reads UTF-8, with or without a byte order mark. `name`: the file, as problems name it. Source: docs/contract.md#s3. */
export function decodeFile(name: string, bytes: Uint8Array): FileText {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))?.[1];
  const other = marked ?? (hasZerosOfUtf16(bytes) ? "UTF-16" : null);
  if (other !== null) return { problem: `${name}: is ${other} text; save it as UTF-8` };
  const text = new TextDecoder("utf-8").decode(bytes);
  const wrongAt = text.indexOf("\uFFFD");
  if (wrongAt === -1 || isUtf8(bytes)) return { text };
  const before = text.slice(0, wrongAt).split("\n");
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { problem: `${name}:${before.length}:${column} is no UTF-8 text; save the file as UTF-8` };
}

function hasZerosOfUtf16(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, LOOKED_AT);
  const zeros = (odd: number) => start.filter((byte, at) => at % 2 === odd && byte === 0).length;
  return start.length >= 2 && Math.max(zeros(0), zeros(1)) > start.length / 4;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
