import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/lib/kernel/json-object";
import { Meter } from "@/lib/protocols/generation/meter";
import { protocols } from "@/lib/protocols/registry";
import { payloadsOf } from "@/tests/support/fold";
import { bytesOf, chatSse, framesFrom, optionsFor, usageChunk } from "./pipeline";

const chat = { upstream: "chat", client: "chat" } as const;
const USAGE = { prompt_tokens: 7, completion_tokens: 30, total_tokens: 37 };

const part = (index: number, delta: JsonObject, finishReason: string | null = null): JsonObject => ({
  id: "chatcmpl-up",
  object: "chat.completion.chunk",
  created: 1,
  model: "up-model",
  choices: [{ index, delta, logprobs: null, finish_reason: finishReason }],
});
const call = (index: number, entry: JsonObject) => part(index, { tool_calls: [{ index: 0, ...entry }] });
const begins = (name: string, id: string) => ({ id, type: "function", function: { name, arguments: "" } });

/** Two choices in words, one that calls a tool; they come in turns. */
const interleaved: JsonObject[] = [
  part(0, { role: "assistant", content: "" }),
  part(1, { role: "assistant", content: "" }),
  part(0, { content: "Red" }),
  part(2, { role: "assistant", content: null }),
  part(1, { content: "Blue" }),
  call(2, begins("paint", "call_2")),
  part(0, { content: " car" }),
  call(2, { function: { arguments: '{"colour":' } }),
  part(0, {}, "stop"),
  part(1, { content: " boat" }),
  call(2, { function: { arguments: '"green"}' } }),
  part(2, {}, "tool_calls"),
  part(1, {}, "length"),
  usageChunk(USAGE),
];

function forwarded(chunks: JsonObject[], choices: number, done = true) {
  const options = { ...optionsFor(chat), choices };
  const passthrough = protocols.chat.direct.passthrough(options);
  const meter = new Meter();
  const steps = [...framesFrom(bytesOf(chatSse(chunks, done))).map((frame) => passthrough.push(frame))];
  const before = steps.map(({ wire }) => wire).join("");
  steps.push(passthrough.finish());
  for (const event of steps.flatMap(({ events }) => events)) meter.push(event);
  const failed = steps.flatMap(({ events }) => events).some(({ type }) => type === "error");
  const wire = steps.map((step) => step.wire).join("") + (failed ? "" : passthrough.end());
  return { wire, before, meter, failed, choices: failed ? [] : folded(payloadsOf(wire)) };
}

/** What a client makes of each choice. */
function folded(chunks: JsonObject[]) {
  const found: { index: number; role: unknown[]; content: string; calls: string; finish: unknown[] }[] = [];
  for (const chunk of chunks) {
    for (const choice of Array.isArray(chunk.choices) ? chunk.choices : []) {
      found[choice.index] ??= { index: choice.index, role: [], content: "", calls: "", finish: [] };
      const own = found[choice.index];
      if (own === undefined) continue;
      if (choice.delta.role) own.role.push(choice.delta.role);
      own.content += choice.delta.content ?? "";
      for (const entry of choice.delta.tool_calls ?? [])
        own.calls += `${entry.id ?? ""}${entry.function.name ?? ""}${entry.function.arguments}`;
      if (choice.finish_reason) own.finish.push(choice.finish_reason);
    }
  }
  return found;
}

const THREE = [
  { index: 0, role: ["assistant"], content: "Red car", calls: "", finish: ["stop"] },
  { index: 1, role: ["assistant"], content: "Blue boat", calls: "", finish: ["length"] },
  {
    index: 2,
    role: ["assistant"],
    content: "",
    calls: 'call_2paint{"colour":"green"}',
    finish: ["tool_calls"],
  },
];
const PRODUCED = "Red carBlue boatpaint".length + '{"colour":"green"}'.length;

/** Source: docs/contract.md#b4. */
describe("several choices of a chat node for a chat client", () => {
  test("are all passed on, each with its own text, calls and finish, and all are metered", () => {
    const { choices, meter, wire } = forwarded(interleaved, 3);
    expect(choices).toEqual(THREE);
    expect(meter.emitted.ascii).toBe(PRODUCED);
    expect(meter.usage).toMatchObject({ inputUncached: 7, output: 30 });
    expect(meter.ended).toBe(true);
    expect(wire).toMatch(/"usage":\{.*\n\ndata: \[DONE\]\n\n$/);
  });

  test("chunks in order go through byte for byte, but for the model and the finish, which waits", () => {
    const { before } = forwarded(interleaved, 3);
    const passed = interleaved.filter((chunk) => {
      const [choice] = chunk.choices as { delta: object }[];
      return choice !== undefined && Object.keys(choice.delta).length > 0;
    });
    const texts = chatSse(passed, false).replaceAll('"up-model"', '"the-alias"');
    expect(before).toBe(texts);
    expect(before).not.toMatch(/"finish_reason":"|\[DONE\]|"usage":\{/);
  });

  test("may stand in one chunk, and share an id of a call", () => {
    const both = (first: JsonObject, second: JsonObject, finishReason: string | null = null): JsonObject => ({
      ...part(0, {}),
      choices: [
        { index: 0, delta: first, finish_reason: finishReason },
        { index: 1, delta: second, finish_reason: finishReason },
      ],
    });
    const same = { tool_calls: [{ index: 0, ...begins("f", "call_1") }] };
    const args = { tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] };
    const role = { role: "assistant", content: null };
    const { choices } = forwarded(
      [both(role, role), both(same, same), both(args, args), both({}, {}, "tool_calls")],
      2,
    );
    expect(choices.map(({ calls, finish }) => [calls, finish])).toEqual([
      ['call_1f{"a":1}', ["tool_calls"]],
      ['call_1f{"a":1}', ["tool_calls"]],
    ]);
  });

  test("that nobody asked for are left out and not metered", () => {
    const { choices, meter } = forwarded(interleaved, 2);
    expect(choices).toEqual(THREE.slice(0, 2));
    expect(meter.emitted.ascii).toBe("Red carBlue boat".length);
  });

  test("fewer than were asked for are good when the node says that it is done, and a broken answer when not", () => {
    const one = [part(0, { role: "assistant", content: "Hi" }), part(0, {}, "stop")];
    expect(forwarded(one, 2).choices).toMatchObject([{ content: "Hi", finish: ["stop"] }]);
    expect(forwarded(one, 2, false).failed).toBe(true);
    const second = [...one, part(1, { role: "assistant", content: "Ho" })];
    expect(forwarded(second, 2, false).failed).toBe(true);
    expect(forwarded([...second, part(1, {}, "stop")], 2, false).choices).toHaveLength(2);
  });

  test("are finished only when each has told its finish reason", () => {
    const passthrough = protocols.chat.direct.passthrough({ ...optionsFor(chat), choices: 3 });
    const seen = framesFrom(bytesOf(chatSse(interleaved))).map((frame) => {
      passthrough.push(frame);
      return passthrough.finishSeen;
    });
    expect(seen.indexOf(true)).toBe(interleaved.length - 2);
  });

  test("that tell their usage each on their own are counted together", () => {
    const last = (index: number, output: number): JsonObject => {
      const chunk = part(index, {}, "stop");
      const usage = { prompt_tokens: 7, completion_tokens: output, total_tokens: 7 + output };
      return { ...chunk, choices: [{ index, delta: {}, finish_reason: "stop", usage }] };
    };
    const said = [0, 1].map((index) => part(index, { role: "assistant", content: "Hi" }));
    const { meter } = forwarded([...said, last(0, 5), last(1, 6)], 2);
    expect(meter.usage).toMatchObject({ inputUncached: 7, output: 11 });
  });

  test("of a stream that an unstreamed client gets add up to all choices", () => {
    const options = { ...optionsFor(chat), choices: 3 };
    const decoder = protocols.chat.decoder(options);
    const events = framesFrom(bytesOf(chatSse(interleaved))).flatMap((frame) => decoder.push(frame));
    const body = protocols.chat.fold([...events, ...decoder.end()], options).body;
    expect(body).toMatchObject({
      choices: [
        { index: 0, message: { content: "Red car" }, finish_reason: "stop" },
        { index: 1, message: { content: "Blue boat" }, finish_reason: "length" },
        { index: 2, message: { tool_calls: [{ id: "call_2" }] }, finish_reason: "tool_calls" },
      ],
      usage: USAGE,
    });
  });

  test("of a whole answer keep their order, their index and what is not known", () => {
    const choice = (index: number, content: string) => ({
      index,
      message: { role: "assistant", content },
      finish_reason: "stop",
      new_field: index,
    });
    const sent = {
      id: "c",
      object: "chat.completion",
      model: "up-model",
      choices: [choice(1, "Blue"), choice(0, "Red"), choice(2, "Green")],
      usage: USAGE,
    };
    const options = { ...optionsFor(chat), choices: 3 };
    const text = JSON.stringify(sent);
    const { wire, events } = protocols.chat.direct.passWhole(text, structuredClone(sent), options);
    expect(wire()).toBe(text.replace("up-model", "the-alias"));
    const meter = new Meter();
    for (const event of events) meter.push(event);
    expect(meter.emitted.ascii).toBe("BlueRedGreen".length);
    const unnumbered = { ...sent, choices: sent.choices.map(({ index: _index, ...rest }) => rest) };
    const repaired = protocols.chat.direct.passWhole(
      JSON.stringify(unnumbered),
      structuredClone(unnumbered),
      options,
    );
    expect(JSON.parse(repaired.wire()).choices.map(({ index }: { index: number }) => index)).toEqual([
      0, 1, 2,
    ]);
  });
});
