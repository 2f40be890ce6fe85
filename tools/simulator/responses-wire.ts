import { thirds } from "./chat-wire";
import type { Answer } from "./compose";

const CREATED = 1_767_225_600;

/** The unstreamed body of a Responses answer. */
export function responsesWhole(answer: Answer): string {
  return JSON.stringify(responseOf(answer, true));
}

/** The frames of a streamed Responses answer, the terminal one last. */
export function responsesFrames(answer: Answer): string[] {
  const begun = responseOf(answer, false);
  const events: Event[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...itemsOf(answer).flatMap(itemEvents),
    { type: cut(answer) ? "response.incomplete" : "response.completed", response: responseOf(answer, true) },
  ];
  return events.map(({ type, ...rest }, index) => frame({ type, sequence_number: index, ...rest }));
}

/** The error body of a Responses provider. */
export function responsesError(status: number, message: string, param: string | null): string {
  const type = status >= 500 ? "server_error" : status === 429 ? "rate_limit_error" : "invalid_request_error";
  return JSON.stringify({ error: { message, type, param, code: null } });
}

/** The frame with which a stream breaks. `parts`: its frames, whose response it ends. */
export function responsesErrorFrame(message: string, parts: readonly string[]): string {
  const id = /"id":"(resp_[^"]+)"/.exec(parts[0] ?? "")?.[1] ?? "resp_simulated";
  const error = { code: "server_error", message };
  const response = { id, object: "response", status: "failed", error, output: [], usage: null };
  return frame({ type: "response.failed", sequence_number: 0, response });
}

interface Event {
  type: string;
  [field: string]: unknown;
}

/** An item of the output: as it begins, as it ends, and what comes in between. */
interface Item {
  begun: { id: string } & Record<string, unknown>;
  done: Record<string, unknown>;
  events: Event[];
}

function frame(event: Event): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function cut(answer: Answer): boolean {
  return answer.stop === "length";
}

/** What the provider tells of a request; strict clients require every member. */
const SETTINGS = {
  background: false,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: "default",
  store: false,
  temperature: 1,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: "disabled",
  user: null,
};

function responseOf(answer: Answer, ended: boolean) {
  const { usage } = answer;
  const completed = ended && !cut(answer);
  return {
    ...SETTINGS,
    id: `resp_simulated${answer.id}`,
    object: "response",
    created_at: CREATED,
    status: completed ? "completed" : ended ? "incomplete" : "in_progress",
    completed_at: completed ? CREATED : null,
    error: null,
    incomplete_details: ended && cut(answer) ? { reason: "max_output_tokens" } : null,
    model: answer.model,
    output: ended ? itemsOf(answer).map(({ done }) => done) : [],
    usage: ended && usage ? usageOf(usage) : null,
  };
}

function usageOf(usage: NonNullable<Answer["usage"]>) {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}

function itemsOf(answer: Answer): Item[] {
  const items: Item[] = [];
  if (answer.reasoning !== "") items.push(reasoningItem(answer));
  answer.hosted.forEach((type, index) => {
    items.push(hostedItem(type, `${answer.id}${index}`));
  });
  if (answer.pieces.length > 0 || answer.calls.length === 0) items.push(messageItem(answer));
  for (const call of answer.calls) items.push(callItem(call));
  return items;
}

function itemEvents({ begun, done, events }: Item, index: number): Event[] {
  return [
    { type: "response.output_item.added", output_index: index, item: begun },
    ...events.map((event) => ({ ...event, item_id: begun.id, output_index: index })),
    { type: "response.output_item.done", output_index: index, item: done },
  ];
}

function reasoningItem(answer: Answer): Item {
  const begun = { id: `rs_simulated${answer.id}`, type: "reasoning", summary: [] };
  const part = { type: "summary_text", text: answer.reasoning };
  return {
    begun,
    done: {
      ...begun,
      summary: [part],
      encrypted_content: Buffer.from(`simulated:${answer.id}`).toString("base64"),
    },
    events: [
      { type: "response.reasoning_summary_part.added", summary_index: 0, part: { ...part, text: "" } },
      { type: "response.reasoning_summary_text.delta", summary_index: 0, delta: answer.reasoning },
      { type: "response.reasoning_summary_text.done", summary_index: 0, text: answer.reasoning },
      { type: "response.reasoning_summary_part.done", summary_index: 0, part },
    ],
  };
}

function messageItem(answer: Answer): Item {
  const begun = {
    id: `msg_simulated${answer.id}`,
    type: "message",
    role: "assistant",
    status: "in_progress",
    content: [],
  };
  const text = answer.pieces.join("");
  const part = { type: "output_text", text, annotations: [], logprobs: [] };
  const deltas = answer.pieces.map((delta) => ({
    type: "response.output_text.delta",
    content_index: 0,
    delta,
    logprobs: [],
  }));
  return {
    begun,
    done: { ...begun, status: cut(answer) ? "incomplete" : "completed", content: [part] },
    events: [
      { type: "response.content_part.added", content_index: 0, part: { ...part, text: "" } },
      ...deltas,
      { type: "response.output_text.done", content_index: 0, text, logprobs: [] },
      { type: "response.content_part.done", content_index: 0, part },
    ],
  };
}

/** A pixel. */
const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** How the call of each hosted tool looks when it has ended. */
const hostedCalls: readonly (readonly [prefix: string, id: string, done: Record<string, unknown>])[] = [
  ["web_search", "ws", { action: { type: "search", query: "simulated" } }],
  ["file_search", "fs", { queries: ["simulated"], results: null }],
  ["code_interpreter", "ci", { code: "print('simulated')", container_id: "cntr_simulated", outputs: null }],
  ["image_generation", "ig", { result: PICTURE }],
];

function hostedItem(type: string, id: string): Item {
  const [name, prefix, fields] = hostedCalls.find(([tool]) => type.startsWith(tool)) ?? [type, "hc", {}];
  const begun = { id: `${prefix}_simulated${id}`, type: `${name}_call`, status: "in_progress" };
  return {
    begun,
    done: { ...begun, status: "completed", ...fields },
    events: [{ type: `response.${name}_call.in_progress` }, { type: `response.${name}_call.completed` }],
  };
}

function callItem(call: Answer["calls"][number]): Item {
  const begun = {
    id: `fc_${call.id}`,
    type: "function_call",
    status: "in_progress",
    call_id: `call_${call.id}`,
    name: call.name,
    arguments: "",
  };
  const deltas = thirds(call.arguments).map((delta) => ({
    type: "response.function_call_arguments.delta",
    delta,
  }));
  return {
    begun,
    done: { ...begun, status: "completed", arguments: call.arguments },
    events: [...deltas, { type: "response.function_call_arguments.done", arguments: call.arguments }],
  };
}
