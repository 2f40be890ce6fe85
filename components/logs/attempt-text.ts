import type { LogDetail } from "../api/types";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";

type Text = Messages["logs"]["detail"];

/** The result of an attempt, or how its request ended: an answer that began well may still have broken off. */
export function resultOf(attempt: { result: string }, status: LogDetail["status"]): string {
  return attempt.result === "ok" && status === "interrupted" ? "truncated" : attempt.result;
}

/** The result of an attempt in the reader's language; an unknown value stays unchanged. */
export function resultText(result: string, text: Text): string {
  const known: Record<string, string> = text.results;
  return known[result] ?? result;
}

/** The reason of the attempt's position in the order. */
export function reasonText(reason: string, text: Text): string {
  const [place = "", ...notes] = reason.split("; ");
  const found = /^priority (\d+), weight (\d+)$/.exec(place);
  const known: Record<string, string> = text.reasonNotes;
  const words = found ? fill(text.placed, { priority: found[1] ?? "", weight: found[2] ?? "" }) : place;
  return [words, ...notes.map((note) => known[note] ?? note)].filter((word) => word !== "").join(" · ");
}

/** The node of an attempt; ordinary accounts see ordinals. */
export function nodeText(node: string, text: Text): string {
  const ordinal = /^node (\d+)$/.exec(node)?.[1];
  return ordinal === undefined ? node : fill(text.nodeOrdinal, { n: ordinal });
}
