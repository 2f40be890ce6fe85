import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, type ErrorBody, gatewayFor, keyMoney } from "../support/gateway-fixtures";
import { rawBytes, rawCall } from "../support/raw-http";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";

const ANSWER = {
  id: "c",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const BODY = JSON.stringify(chatBody("good"));
/** A second request that an ambiguous first one would carry past whoever reads the lengths otherwise. */
const SMUGGLED = `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;

let upstream: ScriptedUpstream | null = null;
beforeAll(async () => {
  upstream = await startScriptedUpstream((response) => sendJson(response, 200, ANSWER));
});
afterAll(() => upstream?.close());
const gateway = gatewayFor({
  nodes: () => [{ name: "scripted", url: upstream?.url ?? "", apiKey: "sk-scripted" }],
  models: [{ alias: "good", routes: [["scripted", "m"]] }],
});
let user: TestUser;
beforeAll(async () => {
  user = await gateway.key();
});

/** The head of a call, one header a line, without the blank line that ends it. */
function headOf(lines: string[]): string {
  const own = ["host: x", `authorization: Bearer ${user.key}`, "content-type: application/json"];
  return ["POST /v1/chat/completions HTTP/1.1", ...own, ...lines].map((line) => `${line}\r\n`).join("");
}

/** The status, and the JSON of an answer that came as bytes. */
function readAnswer(text: string): { status: number; body: ErrorBody } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), body: JSON.parse(body) };
}

/** Source: docs/reliability.md#r-129. */
describe("a request whose end can be read in two ways", () => {
  const length = `content-length: ${BODY.length}`;
  const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
  const ambiguous: Record<string, () => string> = {
    "has a length and pieces": () =>
      `${headOf(["content-length: 4", "transfer-encoding: chunked"])}\r\n${chunked}${SMUGGLED}`,
    "has pieces and a length": () =>
      `${headOf(["transfer-encoding: chunked", length])}\r\n${chunked}${SMUGGLED}`,
    "has two different lengths": () => `${headOf([length, "content-length: 0"])}\r\n${BODY}`,
    "has the same length twice": () => `${headOf([length, length])}\r\n${BODY}`,
    "has two lengths in one header": () => `${headOf([`${length}, ${BODY.length}`])}\r\n${BODY}`,
    "has a signed length": () => `${headOf([`content-length: +${BODY.length}`])}\r\n${BODY}`,
    "has a length in hexadecimal": () => `${headOf(["content-length: 0x10"])}\r\n${BODY}`,
    "names an encoding after chunked": () =>
      `${headOf(["transfer-encoding: chunked, identity"])}\r\n${chunked}`,
    "has a space before a colon": () => `${headOf([length.replace(":", " :")])}\r\n${BODY}`,
    "folds a header": () => `${headOf([length, "x-folded: a", " transfer-encoding: chunked"])}\r\n${BODY}`,
    "ends its lines with a bare line feed": () => `${headOf([length])}\r\n${BODY}`.replaceAll("\r\n", "\n"),
    "has a bare carriage return in a header": () => `${headOf([length, "x-a: b\rx-c: d"])}\r\n${BODY}`,
    "has a NUL in a header": () => `${headOf([length, "x-a: b\0c"])}\r\n${BODY}`,
    "has a piece of negative size": () =>
      `${headOf(["transfer-encoding: chunked"])}\r\n-1\r\n${BODY}\r\n0\r\n\r\n`,
  };

  test.each(Object.keys(ambiguous))("because it %s gets a 400 and no further reading", async (name) => {
    const calls = upstream?.calls.length;
    const text = await rawBytes(gateway.server.url, ambiguous[name]?.() ?? "");
    expect(text.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    const { status, body } = readAnswer(text);
    expect([status, body.error.code]).toEqual([400, "INVALID_REQUEST"]);
    expect(upstream?.calls.length).toBe(calls);
    expect(await keyMoney(gateway.server, user)).toMatchObject({ held: 0, usedQuota: 0 });
  });
});

describe("a request that asks for more than an answer", () => {
  const paths = ["/v1/models", "/api/user/self", "/api/health/live"];
  const get = (path: string, headers: Record<string, string>) =>
    rawCall(gateway.server.url, {
      method: "GET",
      path,
      headers: { authorization: `Bearer ${path.startsWith("/v1") ? user.key : user.token}`, ...headers },
    });

  test.each(["h2c", "websocket", "TLS/1.0, HTTP/2.0"])(
    "for another protocol (%s) is answered in this one, whatever was asked before",
    async (upgrade) => {
      const headers = {
        upgrade,
        connection: "Upgrade, HTTP2-Settings",
        "http2-settings": "AAMAAABkAAQAAP__",
      };
      for (const path of [...paths, ...paths])
        expect([path, (await get(path, headers)).status]).toEqual([path, 200]);
      const answer = await rawCall(gateway.server.url, {
        path: "/v1/chat/completions",
        headers: { authorization: `Bearer ${user.key}`, "content-type": "application/json", ...headers },
        pieces: [BODY],
      });
      expect(answer.status).toBe(200);
    },
  );

  test("for another protocol again and again on one connection is answered each time", async () => {
    const wish = ["connection: Upgrade, HTTP2-Settings", "upgrade: h2c", "http2-settings: AAMAAABkAAQAAP__"];
    const length = `content-length: ${BODY.length}`;
    const call = `${headOf([...wish, length])}\r\n${BODY}`;
    const last = `${headOf(["connection: Upgrade, close", "upgrade: h2c", length])}\r\n${BODY}`;
    const text = await rawBytes(gateway.server.url, call.repeat(12) + last);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(Array(13).fill("HTTP/1.1 200"));
    expect(gateway.server.output).not.toContain("MaxListenersExceededWarning");
  });

  test("for what nobody knows is told so as JSON; for a go-ahead it gets one", async () => {
    for (const path of paths) {
      const refused = await get(path, { expect: "something" });
      expect([path, refused.status]).toEqual([path, 417]);
      expect(JSON.parse(refused.body).error.code).toBe("INVALID_REQUEST");
      expect([path, (await get(path, { expect: "100-continue" })).status]).toEqual([path, 200]);
    }
  });
});

/** Source: docs/reliability.md#r-134. */
describe("a head beyond the bounds", () => {
  test.each([
    ["a header of 32 KB", () => ({ path: "/v1/models", headers: { "x-long": "x".repeat(32 * 1024) } })],
    [
      "2,000 headers",
      () => ({
        path: "/v1/models",
        headers: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x-header-${index}`, "1"])),
      }),
    ],
    ["an address of 32 KB", () => ({ path: `/v1/models?x=${"x".repeat(32 * 1024)}` })],
    ["an address of 16 KB", () => ({ path: `/v1/models/${"x".repeat(16 * 1024)}` })],
    ["an address of 16 KB for the pages", () => ({ path: `/${"x".repeat(16 * 1024)}` })],
  ])("%s is refused as JSON, and the server goes on", async (_name, call) => {
    const answer = await rawCall(gateway.server.url, { method: "GET", ...call() });
    expect([414, 431]).toContain(answer.status);
    expect(JSON.parse(answer.body).error.code).toBe("INVALID_REQUEST");
    expect((await gateway.server.gateway("/v1/models", user.key)).status).toBe(200);
  });
});

/** Source: docs/reliability.md#r-128. */
describe("line ends in what becomes part of a request to a node", () => {
  test("never become a header of it", async () => {
    const plain = await namesOf({}, chatBody("good"));
    const evil = "x\r\nx-evil: 1\r\n\r\nGET / HTTP/1.1";
    const bodies = [
      chatBody("good", { user: evil, metadata: { user_id: evil }, stop: [evil] }),
      chatBody("good", { messages: [{ role: "user", name: evil, content: evil }] }),
      chatBody("good", { tools: [{ type: "function", function: { name: "f", description: evil } }] }),
    ];
    for (const body of bodies) expect(await namesOf({}, body)).toEqual(plain);
    const encoded = { "x-request-id": "a%0d%0ax-evil:%201", "user-agent": "a\\r\\nx-evil: 1" };
    expect(await namesOf(encoded, chatBody("good"))).toEqual(plain);
  });

  test.each(["good\r\nx-evil: 1", "good\n", "\rgood"])(
    "make %j another model, which there is not",
    async (model) => {
      const answer = await gateway.server.gateway("/v1/chat/completions", user.key, chatBody(model));
      expect(answer.status).toBe(404);
    },
  );

  test.each(["provider-version", "anthropic-version"])(
    "in %s are refused, raw or written out",
    async (header) => {
      for (const value of ["2023-06-01%0d%0ax-evil: 1", "2023-06-01 x-evil: 1", "2023-06-01, 2023-06-01"]) {
        const answer = await gateway.server.gateway("/v1/messages", user.key, chatBody("good"), {
          [header]: value,
        });
        expect([value, answer.status]).toEqual([value, 400]);
      }
      const head = headOf([`${header}: 2023-06-01\rx-evil: 1`, `content-length: ${BODY.length}`]);
      expect(readAnswer(await rawBytes(gateway.server.url, `${head}\r\n${BODY}`)).status).toBe(400);
    },
  );

  /** The names of the headers with which a call arrives at the node. */
  async function namesOf(headers: Record<string, string>, body: unknown): Promise<string[]> {
    const answer = await gateway.server.gateway("/v1/chat/completions", user.key, body, headers);
    expect(answer.status).toBe(200);
    return Object.keys(upstream?.calls.at(-1)?.headers ?? {}).sort();
  }
});
