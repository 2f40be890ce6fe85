import type { JsonObject } from "@/lib/kernel/json-object";

const usageMetadata = {
  promptTokenCount: 20,
  candidatesTokenCount: 6,
  thoughtsTokenCount: 4,
  totalTokenCount: 30,
};

/** A stream of these parts, one a chunk. `end`: members of the last candidate. */
function geminiSse(parts: JsonObject[], end: JsonObject = { finishReason: "STOP" }): string {
  const chunks = [
    ...parts.map((part) => ({ candidates: [{ content: { role: "model", parts: [part] }, index: 0 }] })),
    { candidates: [{ content: { role: "model", parts: [{ text: "" }] }, index: 0, ...end }] },
  ];
  return chunks
    .map((chunk) =>
      JSON.stringify({ ...chunk, usageMetadata, modelVersion: "gemini-3-pro", responseId: "r1" }),
    )
    .map((json) => `data: ${json}\r\n\r\n`)
    .join("");
}

const call = (name: string, args: JsonObject, more: JsonObject = {}) => ({
  functionCall: { name, args },
  ...more,
});

/** Good streams of Gemini nodes. */
export const geminiFixtures = {
  text: geminiSse([{ text: "Hällo, all is " }, { text: "fine 🌍" }]),
  thoughts: geminiSse([
    { text: "Think.", thought: true },
    { text: "Done." },
    { text: "", thoughtSignature: "U0lH" },
  ]),
  call: geminiSse([{ text: "I look." }, call("weather", { city: "Zürich" }, { thoughtSignature: "U0lH" })]),
  calls: geminiSse([
    call("weather", { city: "Bern" }, { thoughtSignature: "U0lH" }),
    call("weather", { city: "Rome" }),
    call("clock", {}),
  ]),
  withIds: geminiSse([
    { functionCall: { id: "call-77", name: "clock", args: { deep: { list: [1, null] } } } },
  ]),
  cut: geminiSse([{ text: "So f" }], { finishReason: "MAX_TOKENS" }),
  refused: geminiSse([{ text: "I " }], { finishReason: "SAFETY" }),
  searched: geminiSse([{ text: "Bern is the capital." }], {
    finishReason: "STOP",
    groundingMetadata: {
      webSearchQueries: ["capital"],
      groundingChunks: [{ web: { uri: "https://example.com/a", title: "A" } }],
      groundingSupports: [{ segment: { startIndex: 0, endIndex: 4 }, groundingChunkIndices: [0] }],
    },
  }),
} as const;
