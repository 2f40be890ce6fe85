import type { JsonObject } from "@/lib/kernel/json-object";

/** An answer of this endpoint as that of `embedContent`, or of `batchEmbedContents` for a list of inputs. */
export function toGemini(json: string, { input }: JsonObject): string {
  const { data } = JSON.parse(json) as { data: { index?: number; embedding: number[] }[] }; // the adapter has checked it
  const ordered = data.every(({ index }) => Number.isInteger(index))
    ? data.toSorted((a, b) => Number(a.index) - Number(b.index))
    : data;
  const embeddings = ordered.map(({ embedding }) => ({ values: embedding }));
  return JSON.stringify(typeof input === "string" ? { embedding: embeddings[0] } : { embeddings });
}
