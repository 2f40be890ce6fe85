/** `to` is not included. Units: milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

/** Hours, or days, that are reported as one, with those of the other kind that lie within their time. */
export interface Joined<Part extends Span> extends Span {
  over: "hours" | "day";
  parts: Part[];
  within: Joined<Part>[];
}

/** Joins spans that overlap, and hours that follow each other; days that follow each other stay separate. */
export function joinSpans<Part extends Span>(over: "hours" | "day", spans: readonly Part[]): Joined<Part>[] {
  const all: Joined<Part>[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last !== undefined && (span.from < last.to || (over === "hours" && span.from === last.to))) {
      last.parts.push(span);
      last.to = Math.max(last.to, span.to);
    } else all.push({ over, from: span.from, to: span.to, parts: [span], within: [] });
  }
  return all;
}

/** Moves each span into one of the other kind that covers all of its time. */
export function nestSpans<One extends Span & { within: One[] }>(hours: One[], days: One[]): One[] {
  const alone = (all: One[], others: One[]) =>
    all.filter((one) => {
      const around = others.find((other) => other.from <= one.from && one.to <= other.to);
      return around?.within.push(one) === undefined;
    });
  const outer = alone(hours, days);
  return [...outer, ...alone(days, outer)];
}
