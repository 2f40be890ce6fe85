import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import type { Losses } from "@/lib/protocols/generation/losses";

const maxMarkers = 4;

interface Marker {
  section: "tools" | "system" | "messages" | "top";
  holder: JsonObject;
}

/**
 * Keeps at most four cache markers in a messages body: removes message-level ones first, oldest first, then the
 * top-level one, then those of tools and system, but never the last of either. The body is copied only when it is over
 * the limit.
 * Source: docs/protocols.md#s11-4.
 */
export function limitCacheControl(body: JsonObject, losses: Losses): JsonObject {
  if (findMarkers(body).length <= maxMarkers) return body;
  const copy = structuredClone(body);
  removeSurplus(findMarkers(copy), losses);
  return copy;
}

/** Converts the cache markers of a rendered body into the form that nodes accept. Changes `body`. */
export function arrangeCacheControl(body: JsonObject, marksPrefix: boolean, losses: Losses): void {
  let markers = findMarkers(body);
  if (markers.length === 0) {
    if (!marksPrefix) return;
    markPrefix(body);
    markers = findMarkers(body);
  }
  orderTtl(markers, losses);
  if (markers.length > maxMarkers) removeSurplus(markers, losses);
}

/** A body whose cache markers have no `scope`, which only the vendor's own API takes. It is copied only when it has one. */
export function withoutScopes(body: JsonObject, losses: Losses): JsonObject {
  if (!findMarkers(body).some(hasScope)) return body;
  const copy = structuredClone(body);
  for (const { holder } of findMarkers(copy))
    if (isObject(holder.cache_control)) delete holder.cache_control.scope;
  losses.dropped("cache_control.scope");
  return copy;
}

function hasScope({ holder }: Marker): boolean {
  return isObject(holder.cache_control) && holder.cache_control.scope !== undefined;
}

function removeSurplus(markers: Marker[], losses: Losses): void {
  for (const marker of removalOrder(markers).slice(0, markers.length - maxMarkers)) {
    delete marker.holder.cache_control;
  }
  losses.dropped("cache_control");
}

/** Lowers one-hour markers that follow a five-minute one, which nodes refuse. */
function orderTtl(markers: readonly Marker[], losses: Losses): void {
  let seenShort = false;
  for (const { holder } of markers) {
    const marker = holder.cache_control;
    if (!isObject(marker)) continue;
    if (marker.ttl !== "1h") {
      seenShort = true;
    } else if (seenShort) {
      holder.cache_control = { type: "ephemeral" };
      losses.add("changed:cache_control.ttl");
    }
  }
}

/**
 * Marks the end of the fixed prefix and of the history, for clients without cache marks. Source: docs/protocols.md#d15.
 */
function markPrefix(body: JsonObject): void {
  const marker = { type: "ephemeral" };
  const fixed = lastObject(body.system) ?? lastObject(body.tools);
  if (fixed !== null) fixed.cache_control = marker;
  const block = lastObject(lastObject(body.messages)?.content);
  if (block !== null && block.type !== "thinking" && block.type !== "redacted_thinking") {
    block.cache_control = { ...marker };
  }
}

function lastObject(list: unknown): JsonObject | null {
  const last: unknown = Array.isArray(list) ? list.at(-1) : null;
  return isObject(last) ? last : null;
}

function removalOrder(markers: Marker[]): Marker[] {
  const of = (section: Marker["section"]) => markers.filter((marker) => marker.section === section);
  return [...of("messages"), ...of("top"), ...of("system").slice(0, -1), ...of("tools").slice(0, -1)];
}

function findMarkers(body: JsonObject): Marker[] {
  const markers: Marker[] = [];
  collect(body.tools, "tools", markers);
  collect(body.system, "system", markers);
  const messages = Array.isArray(body.messages) ? body.messages : [];
  for (const turn of messages) {
    if (!isObject(turn) || !Array.isArray(turn.content)) continue;
    for (const block of turn.content) {
      collect([block], "messages", markers);
      if (isObject(block)) collect(block.content, "messages", markers);
    }
  }
  if (isObject(body.cache_control)) markers.push({ section: "top", holder: body });
  return markers;
}

function collect(list: unknown, section: Marker["section"], markers: Marker[]): void {
  if (!Array.isArray(list)) return;
  for (const holder of list) {
    if (isObject(holder) && isObject(holder.cache_control)) markers.push({ section, holder });
  }
}
