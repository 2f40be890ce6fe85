import type { Random } from "../random";
import type { JsonObject } from "../shapes";

/** One event of a stream: its name, if any, and its data as text. */
export interface Event {
  name: string | null;
  data: string;
}

/** An event with a JSON payload. */
export function json(payload: unknown, name: string | null = null): Event {
  return { name, data: JSON.stringify(payload) };
}

const encoder = new TextEncoder();

/** The bytes of a stream, written in one of the ways of servers and cut at any borders. */
export function streamBytes(random: Random, events: readonly Event[]): Uint8Array[] {
  const lineEnd = random.pick(["\n", "\n", "\n", "\r\n", "\r"]);
  const space = random.chance(0.9) ? " " : "";
  let text = random.chance(0.04) ? "\ufeff" : "";
  for (const [at, event] of events.entries()) {
    if (random.chance(0.03)) text += `: comment${lineEnd}${random.chance(0.5) ? lineEnd : ""}`;
    if (random.chance(0.02)) text += `id: 7${lineEnd}retry: 9${lineEnd}odd${lineEnd}`;
    if (event.name !== null) text += `event:${space}${event.name}${lineEnd}`;
    text += dataLines(random, event.data, space, lineEnd);
    const isLast = at === events.length - 1;
    if (!isLast || !random.chance(0.08)) text += lineEnd;
  }
  return cut(random, encoder.encode(text));
}

function dataLines(random: Random, data: string, space: string, lineEnd: string): string {
  if (random.chance(0.01)) return `data:${space}data: ${data}${lineEnd}`;
  const comma = data.indexOf(',"');
  if (comma > 0 && random.chance(0.02)) {
    return `data:${space}${data.slice(0, comma + 1)}${lineEnd}data:${space}${data.slice(comma + 1)}${lineEnd}`;
  }
  return `data:${space}${data}${lineEnd}`;
}

/** The bytes in pieces: now and then each by itself, mostly a few. */
function cut(random: Random, bytes: Uint8Array): Uint8Array[] {
  if (random.chance(0.05)) return Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  const borders = random.many(0, 8, () => random.below(bytes.length + 1)).sort((a, b) => a - b);
  const all = [0, ...borders, bytes.length];
  return all.slice(1).map((end, at) => bytes.subarray(all[at], end));
}

/** A text in as many pieces as it may arrive in. */
export function pieces(random: Random, text: string): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const length = 1 + random.below(Math.max(2, Math.ceil(text.length / 2)));
    parts.push(text.slice(from, from + length));
    from += length;
  }
  return parts;
}

const junk: readonly Event[] = [
  { name: null, data: "{" },
  { name: null, data: "null" },
  { name: null, data: "[]" },
  { name: null, data: "not JSON" },
  { name: null, data: "" },
  { name: "odd_event", data: "not JSON" },
  { name: null, data: '{"choices":7}' },
  { name: null, data: '{"choices":[null]}' },
  { name: null, data: '{"type":"content_block_delta"}' },
  { name: null, data: '{"choices":[{"index":0,"delta":null}]}' },
  { name: null, data: '{"type":"message_delta","delta":7}' },
  { name: null, data: '{"type":"content_block_start","index":0}' },
  { name: null, data: '{"type":"content_block_delta","index":99,"delta":{"type":"text_delta","text":"x"}}' },
];

const failures: readonly Event[] = [
  json({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, "error"),
  json({ error: { message: "slow down", type: "rate_limit_error", code: 429 } }),
  json({ error: "plain words" }),
  json({ error: { message: "", code: "content_filter", param: "messages" } }),
  json({ errors: [{ message: "first" }, { message: "second" }] }),
  json({ object: "error", message: "flat", code: 503 }),
  json({ message: "unnamed" }, "error"),
  json({ detail: [{ msg: "missing" }] }, "some.failed"),
  { name: "error", data: "words only" },
  json({ type: "response.failed", message: "failed" }),
  json({ error: true, message: "yes", status: 500 }),
  json({ choices: [{ index: 0, error: { message: "in the choice", code: 502 }, finish_reason: "error" }] }),
];

/** The events with what bad servers do to them: junk, failures, events lost, doubled, glued or out of order. */
export function disturbed(random: Random, events: readonly Event[]): Event[] {
  const made = [...events];
  if (random.tame) return made;
  const place = () => random.below(made.length + 1);
  if (random.chance(0.3)) made.splice(place(), 0, random.pick(junk));
  if (random.chance(0.3)) made.splice(place(), 0, random.pick(failures));
  if (random.chance(0.15)) made.splice(place(), 1);
  if (random.chance(0.15)) made.length = place();
  if (random.chance(0.1)) made.splice(place(), 0, ...made.slice(0, 1));
  const at = place();
  const [one, next] = made.slice(at, at + 2);
  if (one && next && random.chance(0.15)) made.splice(at, 2, { name: one.name, data: one.data + next.data });
  return made;
}

/** Token counts as servers tell them, at times odd. */
export function count(random: Random): unknown {
  return random.usual<unknown>([0, 1, 5, 10, 75, 100, 3_000], [-1, 1.5, "12", null, 30_000_000, 9_000, {}]);
}

/** Fields that a model's name and its kin may have. */
export function head(random: Random): JsonObject {
  return random.maybe(0.3, () => ({
    system_fingerprint: "fp",
    service_tier: "default",
    zz_unknown: { a: [1] },
  }));
}
