/** The text of a file: UTF-8 and UTF-16, and the encoding that Chinese spreadsheets save CSV in. */
export function decodeText(bytes: ArrayBuffer): string {
  const [one, two] = new Uint8Array(bytes);
  if (one === 0xff && two === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (one === 0xfe && two === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}
