import type { Random } from "../random";
import type { JsonObject } from "../shapes";
import { base64, cacheMark, callArguments, callId, dataUri, text, toolName, url } from "./parts";
import { opaque, signature } from "./replay-tags";

/** The messages of a chat request: system prompts and rounds with calls, results, gaps and leftovers. */
export function chatHistory(random: Random): JsonObject[] {
  const rounds = random.chance(0.01) ? 15 : 1 + random.below(4);
  const messages = random.many(0, 2, () => systemMessage(random));
  for (let round = 0; round < rounds; round += 1) {
    messages.push(
      ...random.many(random.chance(0.9) ? 1 : 0, random.chance(0.1) ? 2 : 1, () => userMessage(random)),
    );
    if (round < rounds - 1 || random.chance(0.45)) messages.push(...assistantRound(random));
    if (random.chance(0.08)) messages.push(systemMessage(random));
  }
  return messages.length > 0 ? messages : [userMessage(random)];
}

function systemMessage(random: Random): JsonObject {
  const parts = () => random.many(1, 3, () => ({ type: "text", text: text(random), ...cacheMark(random) }));
  return {
    role: random.chance(0.8) ? "system" : "developer",
    content: random.chance(0.7) ? text(random) : parts(),
    ...cacheMark(random),
    ...random.maybe(0.03, () => ({ name: "boss" })),
  };
}

function userMessage(random: Random): JsonObject {
  const content = random.chance(0.6) ? text(random) : random.many(0, 4, () => userPart(random));
  return { role: "user", content, ...cacheMark(random), ...random.maybe(0.05, () => ({ name: "me" })) };
}

function userPart(random: Random): JsonObject {
  const part = random.make<JsonObject>(
    () => ({ type: "text", text: text(random) }),
    () => ({ type: "text", text: text(random) }),
    () => ({ type: "text", text: text(random) }),
    () => ({ type: "image_url", image_url: { url: dataUri(random), detail: "low" } }),
    () => ({ type: "image_url", image_url: { url: random.chance(0.5) ? dataUri(random) : url(random) } }),
    () => ({ type: "file", file: file(random) }),
    () => rarePart(random),
  );
  if (random.chance(0.04)) part.prompt_cache_breakpoint = { mode: random.pick(["explicit", "auto"]) };
  return { ...part, ...cacheMark(random) };
}

function rarePart(random: Random): JsonObject {
  const good: JsonObject[] = [
    { type: "image_url", image_url: "https://example.com/plain.png" },
    { type: "text", text: "fine", zz_unknown: 1 },
  ];
  return random.usual(good, [
    { type: "input_audio", input_audio: { data: "AA==", format: "wav" } },
    { type: "image_url" },
    { type: "hologram", data: 1 },
    { type: "text" },
    { type: "refusal", refusal: "No." },
  ]);
}

function file(random: Random): JsonObject {
  const pdf = base64(random, "application/pdf");
  const words = base64(random, "text/plain");
  const good: JsonObject[] = [
    { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` },
    { filename: "a.pdf", file_data: pdf },
    { file_data: pdf },
    { filename: "a.txt", file_data: words },
    { filename: "a.csv", file_data: `data:;base64,${words}` },
    { file_data: `data:application/json,{"a":1}` },
  ];
  return random.usual(good, [
    { filename: "a.bin", file_data: words },
    { filename: "a.exe", file_data: `data:application/x-thing;base64,${words}` },
    { file_id: "file-1" },
    { filename: "a.pdf", file_data: "https://example.com/a.pdf" },
  ]);
}

function assistantRound(random: Random): JsonObject[] {
  const calls = random.chance(0.55) ? random.many(1, random.chance(0.1) ? 8 : 3, () => call(random)) : [];
  const legacy = calls.length === 1 && random.chance(0.08);
  const said = random.chance(calls.length > 0 ? 0.4 : 0.95);
  const message: JsonObject = {
    role: "assistant",
    content: said ? assistantContent(random) : random.pick<unknown>([null, "", undefined]),
    ...reasoningFields(random),
    ...cacheMark(random),
    ...random.maybe(0.03, () => ({ refusal: random.pick(["No.", " ", null]) })),
    ...(random.wrong(0.03) ? { audio: { id: "a" } } : {}),
  };
  const fn = calls[0]?.function;
  if (legacy) message.function_call = fn;
  else if (calls.length > 0 || random.chance(0.03)) message.tool_calls = calls;
  if (calls.length > 0 && random.chance(0.03)) message.function_call = { name: "", arguments: "" };
  return [message, ...results(random, calls, legacy)];
}

function assistantContent(random: Random): unknown {
  if (random.chance(0.8)) return text(random);
  return random.many(0, 3, () =>
    random.make<JsonObject>(
      () => ({ type: "text", text: text(random), ...cacheMark(random) }),
      () => ({ type: "text", text: text(random) }),
      () => ({ type: "refusal", refusal: text(random) }),
      () => ({ type: random.pick(["thinking", "reasoning"]), thinking: "hm" }),
      () =>
        random.usual<JsonObject>(
          [{ type: "text", text: "t" }],
          [{ type: "image_url", image_url: { url: "x" } }],
        ),
    ),
  );
}

function reasoningFields(random: Random): JsonObject {
  if (random.chance(0.65)) return {};
  const detail = (index: number) =>
    random.pick<unknown>([
      { type: "reasoning.text", text: "because", signature: "sig", format: "anthropic-claude-v1", index },
      { type: "reasoning.text", text: "because", index: 0 },
      { type: "reasoning.text", text: "", signature: "sig2", index: 0 },
      { type: "reasoning.text", text: "because", signature, index },
      { type: "reasoning.summary", summary: "short", index },
      { type: "reasoning.encrypted", data: "b64==", index },
      { type: "reasoning.encrypted", data: opaque, index },
      { type: "reasoning.text", text: "x", format: "openai-responses-v1", index },
      { type: "reasoning.text", text: "because", index },
      7,
    ]);
  const words = () => random.pick(["because", "because\n", "", null, "other"]);
  return {
    ...random.maybe(0.4, () => ({ reasoning_content: words() })),
    ...random.maybe(0.3, () => ({ reasoning: words() })),
    ...random.maybe(0.5, () => ({ reasoning_details: random.many(0, 3, detail) })),
  };
}

interface Call extends JsonObject {
  id: string;
  function: { name: string; arguments: unknown };
}

function call(random: Random): Call {
  const made: Call = {
    id: callId(random),
    type: "function",
    function: { name: toolName(random), arguments: callArguments(random) },
  };
  const odd = random.below(120);
  if (random.wrong(0.02)) made.type = "custom";
  if (odd === 1) made.type = "";
  if (odd === 2) return { ...made, function: { name: "", arguments: "" } };
  return made;
}

function results(random: Random, calls: readonly Call[], legacy: boolean): JsonObject[] {
  if (legacy)
    return calls.map((one) => ({ role: "function", name: one.function.name, content: text(random) }));
  const answered = calls.filter(() => !random.wrong(0.1)).map((one) => result(random, one.id));
  const ordered = random.chance(0.15) ? random.shuffled(answered) : answered;
  const extra = random.chance(random.tame ? 0.005 : 0.15)
    ? [
        random.make<JsonObject>(
          () => result(random, calls[0]?.id ?? "orphan"),
          () => result(random, "orphan"),
          () => result(random, null),
          () => ({ role: "function", name: "nobody", content: "x" }),
          () => systemMessage(random),
        ),
      ]
    : [];
  return [...ordered.slice(0, 1), ...extra, ...ordered.slice(1)];
}

function result(random: Random, id: string | null): JsonObject {
  const content = random.chance(0.75)
    ? random.pick<unknown>([text(random), "ok", "", null])
    : random.many(0, 2, () => userPart(random));
  return { role: "tool", ...(id === null ? {} : { tool_call_id: id }), content, ...cacheMark(random) };
}
