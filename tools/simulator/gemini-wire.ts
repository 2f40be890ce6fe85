import type { Answer } from "./compose";

const FINISH = { end: "STOP", sequence: "STOP", length: "MAX_TOKENS", tool: "STOP" } as const;

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** The unstreamed body of a Gemini answer. */
export function geminiWhole(answer: Answer): string {
  const text = answer.pieces.join("");
  const parts = [...thoughtOf(answer), ...(text === "" ? [] : [{ text }]), ...callsOf(answer)];
  return JSON.stringify(chunkOf(answer, parts, true));
}

/** The frames of a streamed Gemini answer; the last one has the finish reason and the usage. */
export function geminiFrames(answer: Answer): string[] {
  const parts = [...thoughtOf(answer), ...answer.pieces.map((text) => ({ text })), ...callsOf(answer)];
  const last = parts.pop() ?? { text: "" };
  return [...parts.map((part) => chunkOf(answer, [part], false)), chunkOf(answer, [last], true)].map(
    (chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`,
  );
}

/** The error body of a Gemini provider; as a frame, inside `data:`. */
export function geminiError(code: number, message: string): string {
  return JSON.stringify({ error: { code, message, status: STATUSES[code] ?? "UNKNOWN" } });
}

function chunkOf(answer: Answer, parts: object[], isLast: boolean) {
  const ending = isLast ? { finishReason: FINISH[answer.stop] } : {};
  return {
    candidates: Array.from({ length: answer.choices }, (_, index) => ({
      content: { parts, role: "model" },
      ...ending,
      index,
    })),
    ...(isLast && answer.usage ? { usageMetadata: usageOf(answer.usage) } : {}),
    modelVersion: answer.model,
    responseId: `simulated-${answer.id}`,
  };
}

function thoughtOf({ reasoning }: Answer): object[] {
  return reasoning === "" ? [] : [{ text: reasoning, thought: true }];
}

/** The first call is signed, as the vendor does. */
function callsOf(answer: Answer): object[] {
  return answer.calls.map((call, index) => ({
    functionCall: { id: `call_${call.id}`, name: call.name, args: JSON.parse(call.arguments) },
    ...(index === 0 ? { thoughtSignature: Buffer.from(`simulated:${answer.id}`).toString("base64") } : {}),
  }));
}

function usageOf({ input, cached, output, reasoning }: NonNullable<Answer["usage"]>) {
  return {
    promptTokenCount: input,
    ...(cached > 0 ? { cachedContentTokenCount: cached } : {}),
    candidatesTokenCount: output - reasoning,
    ...(reasoning > 0 ? { thoughtsTokenCount: reasoning } : {}),
    totalTokenCount: input + output,
  };
}
