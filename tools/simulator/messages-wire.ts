import { thirds } from "./chat-wire";
import type { Answer } from "./compose";

const STOP = { end: "end_turn", sequence: "stop_sequence", length: "max_tokens", tool: "tool_use" } as const;

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

/** The unstreamed body of a Messages answer. */
export function messagesWhole(answer: Answer): string {
  const content: object[] = [];
  if (answer.reasoning)
    content.push({ type: "thinking", thinking: answer.reasoning, signature: signatureOf(answer) });
  if (answer.pieces.length > 0) content.push({ type: "text", text: answer.pieces.join("") });
  for (const call of answer.calls) content.push({ ...toolBlock(call), input: JSON.parse(call.arguments) });
  return JSON.stringify({
    ...envelope(answer),
    content,
    stop_reason: STOP[answer.stop],
    stop_sequence: answer.stopSequence,
    ...(answer.usage ? { usage: { ...inputUsage(answer.usage), output_tokens: answer.usage.output } } : {}),
  });
}

/** The frames of a streamed Messages answer, the terminal one last. */
export function messagesFrames(answer: Answer): string[] {
  const { usage } = answer;
  const message = {
    ...envelope(answer),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...(usage ? { usage: { ...inputUsage(usage), output_tokens: Math.min(1, usage.output) } } : {}),
  };
  const delta = { stop_reason: STOP[answer.stop], stop_sequence: answer.stopSequence };
  return [
    frame({ type: "message_start", message }),
    frame({ type: "ping" }),
    ...blocksOf(answer).flatMap(blockFrames),
    frame({
      type: "message_delta",
      delta,
      ...(usage ? { usage: { output_tokens: usage.output } } : {}),
    }),
    frame({ type: "message_stop" }),
  ];
}

/** The error body of a Messages provider; as a frame, inside `event: error`. */
export function messagesError(status: number, message: string): string {
  const error = { type: ERROR_TYPES[status] ?? "api_error", message };
  return JSON.stringify({ type: "error", error, request_id: "req_simulated" });
}

interface Block {
  start: object;
  deltas: object[];
}

function blocksOf(answer: Answer): Block[] {
  const blocks: Block[] = [];
  if (answer.reasoning)
    blocks.push({
      start: { type: "thinking", thinking: "", signature: "" },
      deltas: [
        { type: "thinking_delta", thinking: answer.reasoning },
        { type: "signature_delta", signature: signatureOf(answer) },
      ],
    });
  if (answer.pieces.length > 0)
    blocks.push({
      start: { type: "text", text: "" },
      deltas: answer.pieces.map((text) => ({ type: "text_delta", text })),
    });
  for (const call of answer.calls)
    blocks.push({
      start: { ...toolBlock(call), input: {} },
      deltas: ["", ...thirds(call.arguments)].map((part) => ({
        type: "input_json_delta",
        partial_json: part,
      })),
    });
  return blocks;
}

function blockFrames(block: Block, index: number): string[] {
  return [
    frame({ type: "content_block_start", index, content_block: block.start }),
    ...block.deltas.map((delta) => frame({ type: "content_block_delta", index, delta })),
    frame({ type: "content_block_stop", index }),
  ];
}

function frame(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function envelope(answer: Answer) {
  return { id: `msg_simulated${answer.id}`, type: "message", role: "assistant", model: answer.model };
}

function toolBlock(call: Answer["calls"][number]) {
  return { type: "tool_use", id: `toolu_${call.id}`, name: call.name };
}

function signatureOf(answer: Answer): string {
  return Buffer.from(`simulated:${answer.id}`).toString("base64");
}

function inputUsage(usage: NonNullable<Answer["usage"]>) {
  return {
    input_tokens: usage.input - usage.cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cached,
  };
}
