import type { Answer } from "./compose";

const CREATED = 1_767_225_600;
const FINISH = { end: "stop", sequence: "stop", length: "length", tool: "tool_calls" } as const;

/** The unstreamed body of a Chat Completions answer. */
export function chatWhole(answer: Answer): string {
  const message = {
    role: "assistant",
    content: answer.calls.length > 0 ? null : answer.pieces.join(""),
    ...(answer.reasoning ? { reasoning_content: answer.reasoning } : {}),
    ...(answer.calls.length > 0 ? { tool_calls: answer.calls.map(wireCall) } : {}),
    refusal: null,
  };
  const finish = FINISH[answer.stop];
  return JSON.stringify({
    id: idOf(answer),
    object: "chat.completion",
    created: CREATED,
    model: answer.model,
    choices: indexesOf(answer).map((index) => ({ index, message, logprobs: null, finish_reason: finish })),
    ...(answer.usage ? { usage: chatUsage(answer.usage) } : {}),
    system_fingerprint: "fp_simulated",
  });
}

/** The frames of a streamed Chat Completions answer, the terminal one last. */
export function chatFrames(answer: Answer, includeUsage: boolean): string[] {
  const deltas: object[] = [{ role: "assistant", content: answer.calls.length > 0 ? null : "" }];
  if (answer.reasoning) deltas.push({ reasoning_content: answer.reasoning });
  for (const piece of answer.pieces) deltas.push({ content: piece });
  for (const [index, call] of answer.calls.entries()) {
    const { id, type } = wireCall(call);
    deltas.push({ tool_calls: [{ index, id, type, function: { name: call.name, arguments: "" } }] });
    for (const part of thirds(call.arguments))
      deltas.push({ tool_calls: [{ index, function: { arguments: part } }] });
  }
  const usage = answer.usage && chatUsage(answer.usage);
  const own = includeUsage && usage ? { usage: null } : {};
  const indexes = indexesOf(answer);
  const toEach = (delta: object, finish: string | null) =>
    indexes.map((index) => chunk(answer, [{ index, delta, logprobs: null, finish_reason: finish }], own));
  const frames = [...deltas.flatMap((delta) => toEach(delta, null)), ...toEach({}, FINISH[answer.stop])];
  if (includeUsage && usage) frames.push(chunk(answer, [], { usage }));
  return [...frames, "data: [DONE]\n\n"];
}

/** The error body of a Chat Completions provider; as a frame, inside `data:`. */
export function chatError(status: number, message: string, param: string | null): string {
  const type = status >= 500 ? "server_error" : status === 429 ? "rate_limit_error" : "invalid_request_error";
  const code = status === 401 ? "invalid_api_key" : status === 404 ? "model_not_found" : null;
  return JSON.stringify({ error: { message, type, param, code } });
}

function idOf(answer: Answer): string {
  return `chatcmpl-simulated-${answer.id}`;
}

function wireCall(call: Answer["calls"][number]) {
  return {
    id: `call_${call.id}`,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  };
}

function indexesOf({ choices }: Answer): number[] {
  return [...Array(choices).keys()];
}

function chunk(answer: Answer, choices: object[], extra: object): string {
  const envelope = {
    id: idOf(answer),
    object: "chat.completion.chunk",
    created: CREATED,
    model: answer.model,
  };
  return `data: ${JSON.stringify({ ...envelope, choices, ...extra })}\n\n`;
}

function chatUsage(usage: NonNullable<Answer["usage"]>) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  };
}

/** Arguments arrive in pieces that split anywhere but inside a surrogate pair. */
export function thirds(text: string): string[] {
  const characters = [...text];
  const size = Math.max(Math.ceil(characters.length / 3), 1);
  return [0, 1, 2]
    .map((part) => characters.slice(part * size, (part + 1) * size).join(""))
    .filter((part) => part !== "");
}
