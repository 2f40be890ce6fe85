/** Whether a text has a character that is neither blank nor invisible. */
export function isVisible(text: string): boolean {
  return /[^\s\p{C}]/u.test(text);
}
