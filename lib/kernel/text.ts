/** Whether a text has a character that is neither blank nor invisible. */
export function isVisible(text: string): boolean {
  return /[^\s\p{C}]/u.test(text);
}

/** A copy of a piece of a text that is kept for long: a slice would keep the whole text in memory. */
export function copyOf(slice: string): string {
  return Buffer.from(slice).toString();
}
