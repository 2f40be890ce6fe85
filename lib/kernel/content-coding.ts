/** Content codings that responses are sent in, the smallest result first. */
export type ContentCoding = "br" | "gzip";

/**
 * The one of `offered` that an `Accept-Encoding` header prefers; the earlier one of equals. Null: send the content as
 * it is, also when the header excludes everything. See RFC 9110 12.5.3. Source: docs/dashboard.md#s2-15.
 */
export function acceptedCoding(
  header: string | undefined,
  offered: readonly ContentCoding[],
): ContentCoding | null {
  if (header === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    weights.set(name === "x-gzip" ? "gzip" : name, weightOf(parameters));
  }
  const any = weights.get("*") ?? 0;
  let best: ContentCoding | null = null;
  let bestWeight = 0;
  for (const coding of offered) {
    const weight = weights.get(coding) ?? any;
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  return bestWeight < (weights.get("identity") ?? 0) ? null : best;
}

/** A malformed weight counts as none. */
function weightOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  if (weight === undefined) return 1;
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}
