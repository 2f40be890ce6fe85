import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as anyGet, POST as anyPost } from "@/app/v1/[...path]/route";
import { POST as chat } from "@/app/v1/chat/completions/route";
import { POST as countTokens } from "@/app/v1/messages/count_tokens/route";
import { POST as messages } from "@/app/v1/messages/route";
import { GET as model, POST as namedModel } from "@/app/v1/models/[...id]/route";
import { GET as models } from "@/app/v1/models/route";
import { GET as receipt } from "@/app/v1/usage/[requestId]/route";
import { GET as usage } from "@/app/v1/usage/route";
import { POST as google, GET as googleGet } from "@/app/v1beta/[...path]/route";
import { createKey } from "@/lib/accounts/keys";
import { findUser } from "@/lib/accounts/users";
import { setRuntime } from "@/lib/gateway/runtime";
import { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import { type BootedProcess, boot } from "@/lib/process/boot";
import { type Simulator, startSimulator } from "@/tools/simulator/server";
import { embeddedDirectory } from "../support/database";
import { foldStream } from "../support/fold";
import { chatBody, eventually } from "../support/gateway-fixtures";
import { streamProblems } from "../support/stream-grammar";
import { expectFetchRefusal } from "../support/v1-refusal";

// The route handlers of Next over the same core, in this process: what hosts without the custom server run.
let booted: BootedProcess;
let upstream: Simulator;
let dataDir = "";
let key = "";

beforeAll(async () => {
  dataDir = await embeddedDirectory();
  upstream = await startSimulator({ port: 0 });
  const prices = { input: 100, output: 300 };
  const config = {
    nodes: [
      { name: "chat", protocol: "chat", baseUrl: `${upstream.url}/v1` },
      { name: "messages", protocol: "messages", baseUrl: upstream.url },
    ],
    models: [
      { alias: "on-chat", prices, routes: [{ node: "chat", model: "sim-usage-100-50" }] },
      { alias: "vendor/on-messages", prices, routes: [{ node: "messages", model: "sim-usage-100-50" }] },
      { alias: "long", prices, routes: [{ node: "chat", model: "sim-chunks-100+every-40ms" }] },
    ],
    plans: [
      { id: 1, name: "Open", qps: null, rpm: 1_000, tpm: null, keyQuotaCents: 1_000, selfService: true },
    ],
  };
  const file = path.join(dataDir, "tollgate.yaml");
  writeFileSync(file, JSON.stringify(config));
  booted = await boot(
    { DATA_DIR: dataDir, CONFIG_FILE: file, LOG_LEVEL: "silent", MAX_BODY_BYTES: "65536" },
    null,
  );
  await booted.createFirstAdmin();
  const { db, clock } = booted.runtime;
  const [row] = await db.query<{ id: string }>("SELECT id FROM users WHERE username = 'admin'");
  const admin = await findUser(db, row?.id ?? "");
  if (admin === null) throw new Error("no first admin");
  key = (await createKey(db.orm, admin, { name: "web" }, clock.date())).key;
});

afterAll(async () => {
  await booted.stop();
  setRuntime(undefined);
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function ask(pathname: string, body?: unknown, fields: RequestInit = {}): Request {
  return new Request(`http://gateway.test${pathname}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...fields,
  });
}

describe.each([
  ["chat", "/v1/chat/completions", chat],
  ["messages", "/v1/messages", messages],
] as const)("the %s route", (protocol, pathname, post) => {
  test.each(["on-chat", "vendor/on-messages"])("answers whole and streamed alike on %s", async (model) => {
    const whole = await post(ask(pathname, chatBody(model)));
    expect(whole.status).toBe(200);
    expect(whole.headers.get("x-tollgate-cost")).toBe("0.025");
    const body = await whole.json();
    const options = protocol === "chat" ? { stream_options: { include_usage: true } } : {};
    const streamed = await post(ask(pathname, chatBody(model, { stream: true, ...options })));
    expect(streamed.headers.get("content-type")).toContain("text/event-stream");
    const wire = await streamed.text();
    expect(streamProblems(protocol, wire, { includeUsage: true, forwarded: true })).toEqual([]);
    const folded = foldStream(protocol, wire);
    const meaning = ({ choices, content, usage }: Record<string, unknown>) => ({ choices, content, usage });
    expect(meaning(folded)).toMatchObject(JSON.parse(JSON.stringify(meaning(body))));
  });

  test("refuses in the words of its protocol", async () => {
    const headers = { "x-api-key": "tgw-unknown", "content-type": "application/json" };
    const refused = await post(ask(pathname, chatBody("on-chat"), { headers }));
    await expectFetchRefusal(refused, pathname, "INVALID_API_KEY");
    const unknown = await post(ask(pathname, chatBody("none")));
    await expectFetchRefusal(unknown, pathname, "MODEL_NOT_FOUND");
    const large = await post(ask(pathname, chatBody("on-chat", { user: "x".repeat(70_000) })));
    await expectFetchRefusal(large, pathname, "PAYLOAD_TOO_LARGE");
    const text = await post(
      ask(pathname, {}, { headers: { "x-api-key": key, "content-type": "text/plain" } }),
    );
    await expectFetchRefusal(text, pathname, "UNSUPPORTED_MEDIA_TYPE");
  });

  test("reads compressed bodies, within the same bounds", async () => {
    const send = (encoding: string, bytes: Buffer) =>
      post(
        ask(
          pathname,
          {},
          {
            body: new Uint8Array(bytes),
            headers: { "x-api-key": key, "content-type": "application/json", "content-encoding": encoding },
          },
        ),
      );
    const text = JSON.stringify(chatBody("on-chat"));
    for (const packed of [gzipSync(text), gzipSync(text, { level: 0 })])
      expect((await send("gzip", packed)).status).toBe(200);
    for (const packed of [deflateSync(text), deflateRawSync(text)])
      expect((await send("deflate", packed)).status).toBe(200);
    expect((await send("br", brotliCompressSync(text))).status).toBe(200);
    const large = JSON.stringify(chatBody("on-chat", { user: "x".repeat(70_000) }));
    await expectFetchRefusal(await send("gzip", gzipSync(large)), pathname, "PAYLOAD_TOO_LARGE");
    await expectFetchRefusal(await send("gzip", Buffer.from(text)), pathname, "INVALID_REQUEST");
    await expectFetchRefusal(await send("compress", gzipSync(text)), pathname, "UNSUPPORTED_MEDIA_TYPE");
  });

  /** Source: docs/contract.md#b5. */
  test("refuses a compressed body with 503 and Retry-After while too many wait to be opened, and no other", async () => {
    const { runtime } = booted;
    const { bodyDecoders } = runtime;
    runtime.bodyDecoders = new FairSemaphore({
      concurrency: 0,
      mostWaiting: 0,
      refusal: () => runtime.admission.ofCompressedBody(),
    });
    try {
      const body = new Uint8Array(gzipSync(JSON.stringify(chatBody("on-chat"))));
      const headers = { "x-api-key": key, "content-type": "application/json", "content-encoding": "gzip" };
      const refused = await post(ask(pathname, {}, { body, headers }));
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      await expectFetchRefusal(refused, pathname, "NO_AVAILABLE_NODE");
      expect((await post(ask(pathname, chatBody("on-chat")))).status).toBe(200);
    } finally {
      runtime.bodyDecoders = bodyDecoders;
    }
  });

  test("stops the upstream and bills a part when the reader leaves", async () => {
    const { aborted } = upstream.counters();
    const answer = await post(ask(pathname, chatBody("long", { stream: true, max_tokens: 1_000 })));
    const reader = answer.body?.getReader();
    for (let frame = 0; frame < 5; frame += 1) await reader?.read();
    await reader?.cancel();
    await eventually(async () => (upstream.counters().aborted > aborted ? true : null), 2_000);
    const id = answer.headers.get("x-request-id") ?? "";
    const bill = await eventually(async () => {
      const found = await receipt(ask(`/v1/usage/${id}`));
      return found.status === 200 ? found.json() : null;
    });
    expect(bill).toMatchObject({ status: "cancelled", httpStatus: 499 });
    expect(Number(bill.cost)).toBeGreaterThan(0);
    expect(bill.completionTokens).toBeLessThan(200);
  });
});

describe("the other routes", () => {
  test("list and show models, count tokens, show usage and receipts", async () => {
    const list: { data: { id: string }[] } = await (await models(ask("/v1/models?limit=2"))).json();
    expect(list.data).toHaveLength(2);
    const one = await model(ask("/v1/models/vendor%2Fon-messages"));
    expect(await one.json()).toMatchObject({ id: "vendor/on-messages" });
    const counted = await countTokens(ask("/v1/messages/count_tokens", chatBody("on-chat")));
    expect((await counted.json()).input_tokens).toBeGreaterThan(0);
    expect(await (await usage(ask("/v1/usage"))).json()).toMatchObject({ quota: 1_000, unit: "cents" });
  });

  test("answer unknown paths, wrong methods and malformed paths as JSON", async () => {
    const bearer = { headers: { authorization: `Bearer ${key}` } };
    for (const path of ["/v1/conversations", "/v1//models"])
      await expectFetchRefusal(await anyGet(ask(path, undefined, bearer)), path, "NOT_FOUND");
    const wrong = await anyGet(ask("/v1/chat/completions"));
    expect(wrong.headers.get("allow")).toBe("POST");
    await expectFetchRefusal(wrong, "/v1/chat/completions", "METHOD_NOT_ALLOWED");
    await expectFetchRefusal(await anyGet(ask("/v1/models/%ff")), "/v1/models", "INVALID_REQUEST");
  });

  test("are found with /v1 twice or not at all, as by the server", async () => {
    for (const base of ["", "/v1/v1"]) {
      expect((await anyPost(ask(`${base}/chat/completions`, chatBody("on-chat")))).status).toBe(200);
      expect((await anyPost(ask(`${base}/messages/`, chatBody("on-chat")))).status).toBe(200);
      expect((await anyGet(ask(`${base}/models`))).status).toBe(200);
      const one = await anyGet(ask(`${base}/models/vendor/on-messages`));
      expect(await one.json()).toMatchObject({ id: "vendor/on-messages" });
    }
    const unknown = await anyGet(ask("/v1/foo", undefined, { headers: { authorization: "Bearer x" } }));
    expect((await unknown.json()).error.type).toBe("invalid_request_error");
    expect((await (await anyGet(ask("/v1/foo"))).json()).error.type).toBe("not_found_error");
  });

  test("take the key from api-key too", async () => {
    const headers = { "api-key": key, authorization: "Bearer tgw-other" };
    expect((await models(ask("/v1/models", undefined, { headers }))).status).toBe(200);
  });

  test("leave nothing running and nothing held", async () => {
    const { db, drain } = booted.runtime;
    await eventually(async () => (drain.inFlight === 0 ? true : null));
    const [held] = await db.query<{ held: bigint }>(
      "SELECT sum(held_micro_cents)::bigint AS held FROM users",
    );
    expect(held?.held).toBe(0n);
  });
});

describe("Google's API", () => {
  const question = { contents: [{ parts: [{ text: "Hello" }] }] };
  const headers = { "x-goog-api-key": "", "content-type": "application/json" };

  test("is served at its own path and below /v1", async () => {
    const own = await google(ask("/v1beta/models/vendor/on-messages:generateContent", question));
    expect(await own.json()).toMatchObject({ candidates: [{ finishReason: "STOP" }] });
    const below = await namedModel(ask("/v1/models/on-chat:streamGenerateContent?alt=sse", question));
    expect(await below.text()).toMatch(/^(?:data: .*\r\n\r\n)+$/);
    const named = { headers: { ...headers, "x-goog-api-key": key } };
    expect(await (await models(ask("/v1/models", undefined, named))).json()).toHaveProperty("models");
  });

  test("takes a key from the query and answers in Google's words", async () => {
    const body = JSON.stringify(question);
    const call = (search: string) =>
      google(ask(`/v1beta/models/on-chat:generateContent${search}`, question, { headers, body }));
    expect((await call(`?key=${key}`)).status).toBe(200);
    expect(await (await call("")).json()).toMatchObject({ error: { code: 401, status: "UNAUTHENTICATED" } });
    const unknown = await googleGet(ask("/v1beta/files"));
    expect(await unknown.json()).toMatchObject({ error: { code: 404, status: "NOT_FOUND" } });
  });
});
