import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { type TokenPart, type TokenParts, tokenParts } from "@/lib/kernel/usage";
import { count } from "./counts";

/** Parts of counts as a node reports them. */
type ReportedParts = { [Part in TokenPart]?: number | undefined };

/** The parts that are more than zero; absent: none. Shape: to be spread into a usage. Source: docs/protocols.md#s11-1. */
export function partsOf(told: ReportedParts): { parts?: TokenParts } {
  let parts: TokenParts | undefined;
  for (const name of tokenParts) {
    const tokens = told[name];
    if (tokens !== undefined && tokens > 0) parts = { ...parts, [name]: tokens };
  }
  return parts === undefined ? {} : { parts };
}

/** Audio and images of a prompt without those that were read from a cache, by the details of the prompt's count. */
export function uncachedMedia(details: JsonObject): Pick<ReportedParts, "audioInput" | "imageInput"> {
  const cached = isObject(details.cached_tokens_details) ? details.cached_tokens_details : {};
  const uncached = (name: string) => Math.max(0, (count(details[name]) ?? 0) - (count(cached[name]) ?? 0));
  return { audioInput: uncached("audio_tokens"), imageInput: uncached("image_tokens") };
}
