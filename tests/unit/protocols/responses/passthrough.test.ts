import { describe, expect, test } from "vitest";
import { protocols } from "@/lib/protocols/registry";
import type { SseFrame } from "@/lib/protocols/sse/sse-decoder";
import { responsesAbsence, responsesExchanges, responsesPresent } from "@/tests/corpus/responses";
import { bytesOf, framesFrom } from "../pipeline";

const options = { id: "resp_own", alias: "the-alias", request: {} };
const { responses } = protocols;

const sse = (...payloads: object[]) =>
  payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join("");

function passed(text: string, request = {}) {
  const stage = responses.direct.passthrough({ ...options, request });
  const results = framesFrom(bytesOf(text)).map((frame) => stage.push(frame));
  results.push(stage.finish());
  const events = results.flatMap(({ events }) => events);
  const wire = results.map(({ wire }) => wire).join("");
  return { stage, events, wire, last: events.at(-1)?.type };
}

const response = { id: "resp_up", object: "response", model: "gpt-5.6-2026", store: false, output: [] };
const created = {
  type: "response.created",
  sequence_number: 0,
  response: { ...response, status: "in_progress" },
};
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
const completed = {
  type: "response.completed",
  sequence_number: 2,
  response: { ...response, status: "completed", usage },
};

describe("a Responses stream for a Responses client", () => {
  test("R-25: events that nobody knows are passed on as they came", () => {
    const future = { type: "response.hologram.delta", sequence_number: 1, b: [1, { c: "€" }] };
    const { wire, stage, last } = passed(sse(created, future, completed));
    expect(last).toBe("end");
    expect(wire).toContain(`event: response.hologram.delta\ndata: ${JSON.stringify(future)}\n\n`);
    const end = stage.end();
    expect(wire + end).not.toContain("gpt-5.6-2026");
    expect(wire + end).not.toContain("resp_up");
    expect(end).toContain('"id":"resp_own","object":"response","model":"the-alias","store":true');
    expect(end.endsWith("\n\ndata: [DONE]\n\n")).toBe(true);
  });

  test("completes the usage of the node where Codex and the official SDK fail without, and changes no other byte", () => {
    const bare = {
      ...completed,
      response: { ...completed.response, price: 1.5, usage: { ...usage, output_tokens_details: {} } },
    };
    const data = JSON.stringify(bare).replace("1.5", "1.50");
    const whole = {
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    };
    const { stage } = passed(`${sse(created)}data: ${data}\n\n`);
    const end = stage.end();
    expect(end).toContain('"price":1.50');
    expect(JSON.parse(/^data: (.*)$/m.exec(end)?.[1] ?? "").response.usage).toEqual({ ...usage, ...whole });
    const body = { ...response, status: "completed", usage: { input_tokens: 3, output_tokens: 2 } };
    const { wire } = responses.direct.passWhole(JSON.stringify(body), body, options);
    expect(JSON.parse(wire()).usage).toEqual({ ...usage, ...whole });
  });

  test("R-D13: says when it was created where the node does not, streamed, whole, and streamed out of a whole answer", () => {
    const timed = { ...options, created: 1_700_000_000 };
    const bodyOf = (wire: string) => JSON.parse(wire).created_at;
    const endOf = (frames: readonly SseFrame[]) => {
      const stage = responses.direct.passthrough(timed);
      const begun = frames.map((frame) => stage.push(frame).wire).join("");
      const responsesIn = `${begun}${stage.end()}`.matchAll(/^data: (\{.*\})$/gm);
      return [...responsesIn].map(([, data]) => JSON.parse(data ?? "").response.created_at);
    };
    const whole = completed.response;
    expect(endOf(framesFrom(bytesOf(sse(created, completed))))).toEqual([1_700_000_000, 1_700_000_000]);
    expect(endOf(responses.framesOfWhole(whole, 1))).toEqual(new Array(3).fill(1_700_000_000));
    expect(bodyOf(responses.direct.passWhole(JSON.stringify(whole), { ...whole }, timed).wire())).toBe(
      1_700_000_000,
    );
    const own = { ...whole, created_at: 5 };
    expect(bodyOf(responses.direct.passWhole(JSON.stringify(own), { ...own }, timed).wire())).toBe(5);
    expect(endOf(responses.framesOfWhole(own, 1))).toEqual([5, 5, 5]);
  });

  test("the store and the predecessor are those that the client knows", () => {
    const request = { store: false, previous_response_id: "resp_before" };
    const end = passed(sse(created, completed), request).stage.end();
    expect(end).toContain('"store":false');
    expect(end).toContain('"previous_response_id":"resp_before"');
  });

  test("R-18: a failure of the node is not passed on; the stream ends as one response that failed", () => {
    const error = { type: "error", code: "server_error", message: "words of the node" };
    const { stage, wire, last } = passed(sse(created, error, completed));
    expect(last).toBe("error");
    expect(wire).not.toContain("words of the node");
    const failed = stage.fail?.({ code: "UPSTREAM_ERROR", message: "It broke.", requestId: "r" }) ?? "";
    const payload = JSON.parse(/^data: (\{.*\})$/m.exec(failed)?.[1] ?? "null");
    expect(payload).toMatchObject({
      type: "response.failed",
      sequence_number: 1,
      response: { id: "resp_own", status: "failed", error: { message: "It broke." } },
    });
  });

  test("R-39: counts are those of the node that answered", () => {
    const cached = { ...usage, input_tokens_details: { cached_tokens: 2 } };
    const ended = { ...completed, response: { ...completed.response, usage: cached } };
    const { events } = passed(sse(created, ended));
    expect(events).toContainEqual({
      type: "usage",
      usage: { inputUncached: 1, cacheRead: 2, cacheWrite: 0, output: 2 },
    });
  });

  test("counts that are missing are added to the terminal event", () => {
    const { usage: _usage, ...without } = completed.response;
    const { stage } = passed(sse(created, { ...completed, response: without }));
    expect(stage.end({ inputUncached: 4, output: 6 })).toContain('"input_tokens":4');
  });

  test("items that only Responses knows count as signs of life", () => {
    const item = { type: "web_search_call", id: "ws_1", status: "in_progress" };
    const { events } = passed(sse(created, { type: "response.output_item.added", output_index: 0, item }));
    expect(events).toContainEqual({ type: "other_item", kind: "web_search_call" });
  });

  test("a client that wants no stream gets the response of the terminal event, unknown items included", () => {
    const output = [{ type: "hologram", id: "h_1", x: { y: 1 } }];
    const stage = responses.direct.gather?.(options);
    const ended = { ...completed, response: { ...completed.response, output } };
    for (const frame of framesFrom(bytesOf(sse(created, ended)))) expect(stage?.push(frame).wire).toBe("");
    expect(JSON.parse(stage?.end() ?? "")).toMatchObject({ id: "resp_own", model: "the-alias", output });
  });
});

test("a whole response keeps its bytes but for what it says about itself", () => {
  const body = {
    id: "resp_up",
    object: "response",
    model: "up",
    output: [{ type: "hologram", b: 1.5 }],
    store: false,
  };
  const json = JSON.stringify(body, null, 2);
  const whole = responses.direct.passWhole(json, JSON.parse(json), options);
  const wanted = json
    .replace('"resp_up"', '"resp_own"')
    .replace('"up"', '"the-alias"')
    .replace("false", "true");
  expect(whole.wire()).toBe(wanted);
});

describe.skipIf(!responsesPresent)(`recorded streams${responsesAbsence}`, () => {
  test("R-25: pass byte for byte but for what the response says about itself", () => {
    let compared = 0;
    for (const { id, response: recorded } of responsesExchanges()) {
      if (recorded.sse === undefined || recorded.status !== 200) continue;
      const frames = framesFrom(bytesOf(recorded.sse)).filter(({ data }) => data.startsWith("{"));
      const { wire, stage, last } = passed(recorded.sse);
      if (last !== "end") continue;
      const sent = framesFrom(bytesOf(wire + stage.end())).filter(({ data }) => data !== "[DONE]");
      expect(sent.length, id).toBe(frames.length);
      for (const [at, frame] of frames.entries()) {
        if (!/"type": ?"response\.(created|queued|in_progress|completed|incomplete)"/.test(frame.data))
          expect(sent[at]?.data, `${id} frame ${at}`).toBe(frame.data);
      }
      compared += 1;
    }
    expect(compared).toBeGreaterThan(55);
  });
});
