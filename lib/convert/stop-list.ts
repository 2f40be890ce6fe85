/** Chat's `stop` as a list: a string is a list of one, null is none. Source: docs/protocols.md#s4-1. */
export function stopList(stop: string | string[] | null | undefined): string[] {
  if (stop === null || stop === undefined) return [];
  return typeof stop === "string" ? [stop] : stop;
}
