import type { Random } from "../random";
import type { AnswerInput, JsonObject } from "../shapes";
import { base64, text } from "./parts";
import { count, disturbed, type Event, head, json, pieces, streamBytes } from "./wire";

const names = ["f", "g", "f_1a2b3c4d", "get_weather"];
const finishes: readonly unknown[] = ["stop", "stop", "tool_calls", "length", "content_filter"];
const oddFinishes: readonly unknown[] = [
  "",
  "None",
  "eos",
  "SAFETY",
  "function_call",
  "error",
  "abort",
  "strange",
  "max_tokens",
  7,
  null,
];

/** The stream of a chat node. */
export function chatStream(random: Random, choices: number): AnswerInput {
  const made: JsonObject[] = [];
  const indexes = Array.from({ length: choices }, (_, index) => index);
  for (const index of indexes) made.push(...said(random, index), ...calls(random, index));
  const told = random.chance(0.3) ? random.shuffled(made) : made;
  const ended = [...told, ...indexes.flatMap((index) => endings(random, index))];
  const chunks = [...opening(random), ...ended, ...usageChunks(random)].map((chunk) => framed(random, chunk));
  const events: Event[] = chunks.map((chunk) => json(chunk));
  if (!random.chance(0.08)) events.push({ name: null, data: "[DONE]" });
  return { pieces: streamBytes(random, disturbed(random, events)) };
}

/** The whole body of a chat node. */
export function chatBody(random: Random, choices: number): AnswerInput {
  const made = Array.from({ length: random.wrong(0.2) ? choices + 1 : choices }, (_, index) => ({
    index: random.wrong(0.1) ? 7 : index,
    message: message(random),
    finish_reason: random.usual(finishes, oddFinishes),
    ...random.maybe(0.1, () => ({ stop_reason: "END", logprobs: null, content_filter_results: {} })),
  }));
  const body: JsonObject = {
    id: random.usual<unknown>(["chatcmpl-up"], ["", null]),
    object: "chat.completion",
    created: 1,
    model: random.usual<unknown>(["up-model"], [null, 'odd "model"']),
    choices: made,
    ...head(random),
    ...random.maybe(0.85, () => ({ usage: usage(random) })),
    ...random.maybe(0.08, () => ({ x_groq: { usage: usage(random) }, provider: "p" })),
  };
  const odd: readonly unknown[] = [
    { error: { message: "busy", code: 503 } },
    { ...body, choices: [] },
    { ...body, choices: null },
    [body],
    "words",
    null,
  ];
  return { body: JSON.stringify(random.wrong(0.15) ? random.pick(odd) : body) };
}

function framed(random: Random, chunk: JsonObject): JsonObject {
  return {
    id: random.usual<unknown>(["chatcmpl-up"], ["", "other", null]),
    object: "chat.completion.chunk",
    created: 1,
    model: random.chance(0.97) ? "up-model" : "up-model-2",
    ...random.maybe(0.05, () => ({ obfuscation: "xyz", provider: "p" })),
    ...random.maybe(0.04, () => head(random)),
    ...chunk,
  };
}

function delta(index: number, part: JsonObject, rest: JsonObject = {}): JsonObject {
  return { choices: [{ index, delta: part, finish_reason: null, ...rest }] };
}

function opening(random: Random): JsonObject[] {
  return [
    ...(random.chance(0.1) ? [{ choices: [], prompt_filter_results: [{ prompt_index: 0 }] }] : []),
    ...(random.chance(0.8) ? [delta(0, { role: "assistant", content: random.pick(["", null]) })] : []),
  ];
}

function said(random: Random, index: number): JsonObject[] {
  return random
    .many(0, 3, () =>
      random.make(
        () => pieces(random, text(random)).map((part) => delta(index, { content: part })),
        () => pieces(random, text(random)).map((part) => delta(index, { content: part, ...rest(random) })),
        () => pieces(random, "because of this").map((part) => delta(index, reasoning(random, part))),
        () => [oddDelta(random, index)],
      ),
    )
    .flat();
}

function rest(random: Random): JsonObject {
  return random.maybe(0.15, () => ({ role: random.pick(["assistant", ""]), refusal: null, zz_unknown: 1 }));
}

function reasoning(random: Random, part: string): JsonObject {
  return random.make<JsonObject>(
    () => ({ reasoning_content: part }),
    () => ({ reasoning: part }),
    () => ({ reasoning: part, reasoning_content: part, content: "" }),
    () => ({ reasoning_details: [{ type: "reasoning.text", text: part, index: 0 }] }),
    () => ({ reasoning_details: [{ type: "reasoning.summary", summary: part }, 7], content: "x" }),
    () => ({
      reasoning_details: [{ type: "reasoning.encrypted", data: random.pick(["b64", ""]), index: 1 }],
    }),
  );
}

function oddDelta(random: Random, index: number): JsonObject {
  const thinking = random.pick<unknown>(["hm", [{ type: "text", text: "hm" }, "s"], 7]);
  return random.make(
    () => delta(index, { refusal: "I can not." }),
    () => delta(index, { content: [{ type: "thinking", thinking }, { type: "text", text: "Hi" }, "s", 7] }),
    () => delta(index, { audio: { transcript: "spoken", data: base64(random) } }),
    () => delta(index, { function_call: { name: "f", arguments: '{"a":' } }),
    () =>
      delta(index, {
        function_call: random.pick<unknown>([{ arguments: "1}" }, { name: "", arguments: "" }, null]),
      }),
    () => delta(index, {}, { content_filter_offsets: { start: 1 }, content_filter_results: {} }),
    () => delta(random.pick([5, -1, 1.5]), { content: "another choice" }),
    () => ({ choices: [{ delta: { content: "no index" } }] }),
    () => delta(index, { content: "x" }, { usage: usage(random) }),
    () => delta(index, { tool_calls: random.pick<unknown>([[], "odd", [null], [{}], null]) }),
    () => delta(index, { content: "" }),
  );
}

const inputs = ['{"a":1}', '{"a":"x y","b":{"c":[1,2]}}', "{}", "", '{}{"a":1}', '{"a":"cut'];
const oddInputs = ["[1]", '"x"', "not json"];

function calls(random: Random, choice: number): JsonObject[] {
  if (random.chance(0.5)) return [];
  const style = random.usual(
    ["usual", "usual", "usual", "noIndex", "zeroIndex"],
    ["noId", "fromOne", "object", "moving"],
  );
  const made = random.many(1, 3, (slot) => call(random, choice, slot, style));
  return random.chance(0.3) ? interleaved(made) : made.flat();
}

function call(random: Random, choice: number, slot: number, style: string): JsonObject[] {
  const isCustom = random.wrong(0.1);
  const name = random.pick(names);
  const parts = style === "object" ? [{ a: slot }] : pieces(random, random.usual(inputs, oddInputs));
  const index = (later: boolean) => {
    if (style === "noIndex" || style === "noId") return {};
    if (style === "zeroIndex") return { index: 0 };
    if (style === "fromOne") return { index: slot * 2 + 1 };
    return { index: style === "moving" && !later ? 0 : slot };
  };
  const field = isCustom ? "input" : "arguments";
  const kind = isCustom ? "custom" : "function";
  const id = style === "noId" ? {} : { id: random.usual([`call_${slot}`], ["", "odd:id/x", "same"]) };
  const first = {
    ...index(false),
    ...id,
    type: kind,
    [kind]: { name, [field]: random.chance(0.3) ? parts.shift() : "" },
  };
  const later = parts.map((part) => ({
    ...index(true),
    [kind]: { ...repeated(random, name), [field]: part },
  }));
  const split = random.wrong(0.1) ? [{ ...first, [kind]: { name: "get_" } }] : [];
  return [...split, first, ...later].map((entry) => delta(choice, { tool_calls: [entry] }));
}

function repeated(random: Random, name: string): JsonObject {
  return random.maybe(0.1, () => ({ name: random.pick([name, "", null]) }));
}

function interleaved(lists: JsonObject[][]): JsonObject[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function endings(random: Random, index: number): JsonObject[] {
  const rest = {
    ...random.maybe(0.1, () => ({ stop_reason: random.pick<unknown>(["END", null, 7]) })),
    ...random.maybe(0.05, () => ({ native_finish_reason: "STOP", matched_stop: "END" })),
  };
  const finish_reason = random.usual(finishes, oddFinishes);
  const last = delta(index, random.chance(0.9) ? {} : { content: "last" }, { finish_reason, ...rest });
  if (random.chance(0.15)) Object.assign(last, { usage: usage(random) });
  if (random.wrong(0.15)) return [];
  return random.wrong(0.15)
    ? [last, delta(index, { content: " more" }, { finish_reason: "tool_calls" })]
    : [last];
}

function usageChunks(random: Random): JsonObject[] {
  if (random.chance(0.15)) return [];
  return random.make<JsonObject[]>(
    () => [{ choices: [], usage: usage(random) }],
    () => [{ choices: [], usage: usage(random) }],
    () => [{ choices: [], x_groq: { usage: usage(random) } }],
    () => [{ usage: usage(random) }],
    () => [
      { choices: [], usage: usage(random) },
      { choices: [], usage: usage(random) },
    ],
    () => [{ choices: [], usage: null }],
  );
}

function usage(random: Random): JsonObject {
  const plain = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  return random.make<JsonObject>(
    () => plain,
    () => ({ ...plain, prompt_tokens_details: { cached_tokens: 75, cache_write_tokens: 5 } }),
    () => ({ ...plain, completion_tokens_details: { reasoning_tokens: 4 }, queue_time: 0.1 }),
    () => ({ prompt_tokens: count(random), completion_tokens: count(random), total_tokens: count(random) }),
    () => ({ ...plain, cached_tokens: 20, reasoning_tokens: count(random) }),
    () => ({ ...plain, prompt_cache_hit_tokens: 60 }),
    () => ({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 45, cache_read_input_tokens: 30 }),
    () => ({
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 19,
      completion_tokens_details: { reasoning_tokens: 4 },
    }),
    () => ({ completion_tokens: 5, total_tokens: 45 }),
    () => ({ ...plain, prompt_tokens_details: { cached_tokens: count(random) } }),
  );
}

function message(random: Random): JsonObject {
  const made: JsonObject = { role: random.usual<unknown>(["assistant"], [undefined, ""]) };
  for (const chunk of said(random, 0)) {
    const [choice] = chunk.choices as { delta: JsonObject }[]; // every chunk of `said` has a choice
    for (const [name, value] of Object.entries(choice?.delta ?? {})) {
      const before = made[name];
      made[name] = typeof before === "string" && typeof value === "string" ? before + value : value;
    }
  }
  if (random.chance(0.4)) made.tool_calls = random.many(1, 3, (slot) => wholeCall(random, slot));
  if (random.wrong(0.1)) made.tool_calls = random.pick<unknown>([[], null, "odd", [null], [{ id: "x" }]]);
  return made;
}

function wholeCall(random: Random, slot: number): JsonObject {
  if (random.wrong(0.1))
    return { id: `call_${slot}`, type: "custom", custom: { name: "c", input: "free\ntext" } };
  const input = random.usual<unknown>(
    [...inputs.slice(0, 4)],
    [...oddInputs, '{"a":"cut', { a: 1 }, null, undefined],
  );
  return {
    id: random.usual<unknown>([`call_${slot}`], ["", "same", "odd:id", undefined]),
    type: random.usual<unknown>(["function"], [undefined]),
    function: { name: random.pick(names), arguments: input },
  };
}
