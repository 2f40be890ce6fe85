import type { Answer } from "./compose";

const FINISH = { end: "STOP", sequence: "STOP", length: "MAX_TOKENS", tool: "STOP" } as const;

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
};

/** The unstreamed body of a Gemini answer. */
export function geminiWhole(answer: Answer): string {
  const parts = partsOf(answer, [answer.pieces.join("")]);
  return JSON.stringify(body(answer, parts, FINISH[answer.stop]));
}

/** The frames of a streamed Gemini answer: each is a partial answer, and the last one tells why it ended. */
export function geminiFrames(answer: Answer): string[] {
  const chunks = partsOf(answer, answer.pieces).map((part) => body(answer, [part], null));
  return [...chunks, body(answer, [{ text: "" }], FINISH[answer.stop])].map(
    (chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`,
  );
}

/** The error body of a Gemini provider; as a frame, inside `data:`. */
export function geminiError(status: number, message: string, param: string | null): string {
  const violations = param === null ? [] : [{ fieldViolations: [{ field: param, description: message }] }];
  return JSON.stringify({
    error: { code: status, message, status: STATUSES[status] ?? "INTERNAL", details: violations },
  });
}

function partsOf(answer: Answer, texts: readonly string[]): object[] {
  const thoughts = answer.reasoning ? [{ text: answer.reasoning, thought: true }] : [];
  const calls = answer.calls.map(({ id, name, arguments: args }, index) => ({
    functionCall: { id: `call_${id}`, name, args: JSON.parse(args) },
    ...(index === 0 && { thoughtSignature: signatureOf(answer) }),
  }));
  const said = texts.filter((text) => text !== "").map((text) => ({ text }));
  return [...thoughts, ...said, ...calls];
}

function body(answer: Answer, parts: object[], finishReason: string | null): object {
  const candidates = Array.from({ length: answer.choices }, (_, index) => ({
    content: { role: "model", parts },
    ...(finishReason === null ? {} : { finishReason }),
    index,
  }));
  const usageMetadata = answer.usage === null ? {} : { usageMetadata: geminiUsage(answer.usage) };
  return { candidates, ...usageMetadata, modelVersion: answer.model, responseId: `simulated-${answer.id}` };
}

function signatureOf(answer: Answer): string {
  return Buffer.from(`simulated:${answer.id}`).toString("base64");
}

function geminiUsage({ input, cached, output, reasoning }: NonNullable<Answer["usage"]>): object {
  return {
    promptTokenCount: input,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    candidatesTokenCount: output - reasoning,
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
    totalTokenCount: input + output,
  };
}
