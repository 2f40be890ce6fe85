import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gatewayFor, logEntries } from "../support/gateway-fixtures";
import { absence, Counter, runCli, runNode, runPython } from "./gemini-programs";

const nodes = ["chat", "messages", "responses", "gemini"] as const;

const gateway = gatewayFor({
  plans: [
    { id: 1, name: "Open", qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000_000, selfService: true },
    { id: 2, name: "Small", qps: null, rpm: 1, tpm: null, keyQuotaCents: 1_000_000, selfService: true },
  ],
  nodes: nodes.map((node) => ({ name: `busy-${node}`, protocol: node })),
  models: [
    { alias: "shaky", routes: [["busy-chat", "sim-503-first-1"]] },
    ...nodes.flatMap((node) => [
      { alias: `on-${node}`, routes: [[node, "sim-chat"]] as [string, string][] },
      { alias: `thinks-${node}`, routes: [[node, "sim-reasoning"]] as [string, string][] },
      { alias: `cut-${node}`, routes: [[node, "sim-cut-after-8"]] as [string, string][] },
      { alias: `busy-${node}`, routes: [[`busy-${node}`, "sim-503"]] as [string, string][] },
    ]),
  ],
});

let counter: Counter;
let url: string;

beforeEach(async () => {
  counter = new Counter(gateway.server.url);
  url = await counter.listen();
});
afterEach(() => counter.close());

const LONG = "Say a b c d e f g h i j k l m n o p q r s t u v w x y z";

/** The last line of an output, as JSON. */
const lastLine = (output: string) => JSON.parse(output.trim().split("\n").at(-1) ?? "null");

describe.skipIf(absence.cli !== "")(`Gemini CLI${absence.cli}`, () => {
  test.each(nodes)("runs a loop of tools on a %s node", { timeout: 120_000 }, async (node) => {
    const user = await gateway.key();
    const run = await runCli(url, user.key, `on-${node}`, "Please call list_directory for this folder.");
    expect(run, run.errors).toMatchObject({ code: 0 });
    const { response, stats } = JSON.parse(run.output.slice(run.output.indexOf("{")));
    expect(response).toContain("simulated");
    expect(stats.tools.totalCalls).toBe(1);
    expect(counter.calls).toHaveLength(2);
    const entries = await logEntries(gateway.server, user);
    const own = entries.filter(({ model }) => model === `on-${node}`);
    expect(own.map(({ status }) => status)).toEqual(["success", "success"]);
  });

  test("asks again where no node is available for now", { timeout: 120_000 }, async () => {
    const { key } = await gateway.key();
    const run = await runCli(url, key, "shaky", "Hello");
    expect(run, run.errors).toMatchObject({ code: 0 });
    expect(counter.calls.length).toBeGreaterThan(1);
  });

  test("asks once where the quota is exhausted", { timeout: 120_000 }, async () => {
    const { key } = await gateway.key({ quota: 0 });
    const run = await runCli(url, key, "on-chat", "Hello");
    expect(run.code).not.toBe(0);
    expect(`${run.output}${run.errors}`).toMatch(/quota/i);
    expect(counter.calls).toHaveLength(1);
  });

  test.each(nodes)(
    "does not ask again where the stream of a %s node breaks, and says so",
    { timeout: 120_000 },
    async (node) => {
      const user = await gateway.key();
      const run = await runCli(url, user.key, `cut-${node}`, LONG);
      expect(run.code).not.toBe(0);
      expect(run.errors).toContain("Error when talking to Gemini API");
      const entries = await logEntries(gateway.server, user);
      const own = entries.filter(({ model }) => model === `cut-${node}`);
      expect(own.filter(({ status }) => status === "interrupted")).toHaveLength(1);
      expect(counter.calls, "no call is repeated").toHaveLength(own.length);
    },
  );
});

describe.skipIf(absence.node !== "")(`@google/genai${absence.node}`, () => {
  const weather = `{ functionDeclarations: [{ name: "get_weather", parametersJsonSchema: { type: "object", properties: { city: { type: "string" } } } }] }`;

  test.each(nodes)(
    "reads whole answers, streams, counts and lists of a %s node",
    { timeout: 60_000 },
    async (node) => {
      const { key } = await gateway.key();
      const { output, errors } = await runNode(
        url,
        key,
        `const model = "on-${node}";
const whole = await client.models.generateContent({ model, contents: "Hello" });
let text = "", last;
for await (const chunk of await client.models.generateContentStream({ model, contents: "Hello" })) { text += chunk.text ?? ""; last = chunk; }
const counted = await client.models.countTokens({ model, contents: "Hello" });
const names = []; for await (const one of await client.models.list()) names.push(one.name);
console.log(JSON.stringify({ whole: whole.text, text, usage: last.usageMetadata.totalTokenCount, reason: last.candidates[0].finishReason, counted: counted.totalTokens, names }));`,
      );
      const read = lastLine(output);
      expect(read, errors).toMatchObject({ reason: "STOP" });
      expect(read.whole).toContain("simulated");
      expect(read.text).toContain("simulated");
      expect([read.usage > 0, read.counted > 0]).toEqual([true, true]);
      expect(read.names).toContain(`models/on-${node}`);
    },
  );

  test.each(nodes.flatMap((node) => [true, false].map((ids) => [node, ids] as const)))(
    "runs a loop of tools on a %s node; with ids: %s",
    { timeout: 60_000 },
    async (node, ids) => {
      const { key } = await gateway.key();
      const { output, errors } = await runNode(
        url,
        key,
        `const model = "thinks-${node}"; const config = { tools: [${weather}] };
const contents = [{ role: "user", parts: [{ text: "Call get_weather for Paris" }] }];
const first = await client.models.generateContent({ model, contents, config });
const content = first.candidates[0].content; const call = first.functionCalls[0];
if (!${ids}) for (const part of content.parts) if (part.functionCall) delete part.functionCall.id;
contents.push(content, { role: "user", parts: [{ functionResponse: { ...(${ids} ? { id: call.id } : {}), name: call.name, response: { output: "21 degrees" } } }] });
const second = await client.models.generateContent({ model, contents, config });
console.log(JSON.stringify({ name: call.name, text: second.text }));`,
      );
      expect(lastLine(output), errors).toMatchObject({ name: "get_weather" });
      expect(lastLine(output).text).toContain("21 degrees");
    },
  );

  test.each(nodes)("throws where the stream of a %s node breaks", { timeout: 60_000 }, async (node) => {
    const { key } = await gateway.key();
    const { output } = await runNode(
      url,
      key,
      `for await (const chunk of await client.models.generateContentStream({ model: "cut-${node}", contents: ${JSON.stringify(LONG)} })) process.stdout.write(JSON.stringify(chunk.text) + "\\n");
console.log(JSON.stringify({ ended: true }));`,
    );
    expect(lastLine(output)).toHaveProperty("failed");
    expect(counter.calls).toHaveLength(1);
  });

  test("throws the status of refusals", { timeout: 60_000 }, async () => {
    const refused = async (key: string, model: string) => {
      const { output } = await runNode(
        url,
        key,
        `await client.models.generateContent({ model: "${model}", contents: "Hello" });`,
      );
      return lastLine(output).status;
    };
    const small = await gateway.key({ planId: 2 });
    await runNode(
      url,
      small.key,
      `await client.models.generateContent({ model: "on-chat", contents: "Hello" });`,
    );
    expect(await refused(small.key, "on-chat")).toBe(429);
    expect(await refused((await gateway.key({ quota: 0 })).key, "on-chat")).toBe(402);
    const { key } = await gateway.key();
    expect(await refused(key, "busy-chat")).toBe(503);
    expect(await refused(key, "none")).toBe(404);
    expect(await refused(`${key}x`, "on-chat")).toBe(401);
  });
});

describe.skipIf(absence.python !== "")(`google-genai${absence.python}`, () => {
  test.each(nodes)(
    "reads whole answers, streams and calls of a %s node",
    { timeout: 60_000 },
    async (node) => {
      const { key } = await gateway.key();
      const { output, errors } = await runPython(
        url,
        key,
        `model = "thinks-${node}"
whole = client.models.generate_content(model=model, contents="Hello")
text = "".join(chunk.text or "" for chunk in client.models.generate_content_stream(model=model, contents="Hello"))
tool = types.Tool(function_declarations=[{"name": "get_weather", "parameters_json_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}])
config = types.GenerateContentConfig(tools=[tool], automatic_function_calling={"disable": True})
contents = [types.Content(role="user", parts=[types.Part(text="Call get_weather for Paris")])]
first = client.models.generate_content(model=model, contents=contents, config=config)
call = first.function_calls[0]
answer = types.Part.from_function_response(name=call.name, response={"output": "21 degrees"})
contents += [first.candidates[0].content, types.Content(role="user", parts=[answer])]
second = client.models.generate_content(model=model, contents=contents, config=config)
print(json.dumps({"whole": whole.text, "text": text, "call": call.name, "second": second.text}))`,
      );
      const read = lastLine(output);
      expect(read, errors).toMatchObject({ call: "get_weather" });
      expect(read.whole).toContain("simulated");
      expect(read.text).toBe(read.whole);
      expect(read.second).toContain("21 degrees");
    },
  );

  test.each(nodes)("raises where the stream of a %s node breaks", { timeout: 60_000 }, async (node) => {
    const { key } = await gateway.key();
    const { output } = await runPython(
      url,
      key,
      `for chunk in client.models.generate_content_stream(model="cut-${node}", contents=${JSON.stringify(LONG)}):
    print(json.dumps(chunk.text))
print(json.dumps({"ended": True}))`,
    );
    expect(lastLine(output)).toHaveProperty("failed");
    expect(counter.calls).toHaveLength(1);
  });
});
