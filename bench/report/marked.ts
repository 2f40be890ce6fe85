/**
 * Replaces what stands between `<!-- name: begin -->` and `<!-- name: end -->`. Throws: Error when the text has no such
 * markers.
 */
export function fillMarked(text: string, name: string, content: string): string {
  const begin = `<!-- ${name}: begin -->`;
  const end = `<!-- ${name}: end -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`there are no markers ${begin} … ${end}`);
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}
