/** What is wrong with an address for which `hasBlanks` is true. */
export const BLANKS_IN_ADDRESS = "must have no blanks, tabs or line breaks";

/** True for a text with blanks or control characters, some of which URL parsers drop silently. */
export function hasBlanks(text: string): boolean {
  return /[\s\p{Cc}]/u.test(text);
}
