import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import * as zlib from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chatBody, eventually, gatewayFor, keyMoney } from "../support/gateway-fixtures";
import { type RawAnswer, rawCall } from "../support/raw-http";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "../support/scripted-upstream";
import type { TestUser } from "../support/server";
import { expectRefusal } from "../support/v1-refusal";

const MIB = 1024 * 1024;
const LIMIT = 8 * MIB;
const PATHS = ["/v1/chat/completions", "/v1/messages", "/v1/messages/count_tokens"] as const;
const [CHAT] = PATHS;
const ANSWER = {
  id: "c",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

let node: ScriptedUpstream | null = null;
beforeAll(async () => {
  node = await startScriptedUpstream((response) => sendJson(response, 200, ANSWER));
});
afterAll(() => node?.close());
const gateway = gatewayFor({
  env: { MAX_BODY_BYTES: String(LIMIT) },
  nodes: () => [{ name: "scripted", url: node?.url ?? "" }],
  models: [
    { alias: "good", routes: [["scripted", "m"]] },
    { alias: "steady", routes: [["chat", "sim-chunks-60+every-20ms"]] },
  ],
});
let user: TestUser;
beforeAll(async () => {
  user = await gateway.key();
});

/** What a client may do to a body. */
interface Packing {
  encoding: string;
  pack(text: string): Buffer;
}
const gzip: Packing = { encoding: "gzip", pack: (text) => zlib.gzipSync(text) };
const packings: Readonly<Record<string, Packing>> = {
  gzip,
  "gzip in two members": {
    ...gzip,
    pack: (text) => Buffer.concat([zlib.gzipSync(text.slice(0, 20)), zlib.gzipSync(text.slice(20))]),
  },
  "gzip by its old name": { ...gzip, encoding: "x-gzip" },
  "gzip in other letters, after identity": { ...gzip, encoding: "identity, GZip" },
  deflate: { encoding: "deflate", pack: (text) => zlib.deflateSync(text) },
  "deflate without a zlib head": { encoding: "deflate", pack: (text) => zlib.deflateRawSync(text) },
  br: { encoding: "br", pack: (text) => zlib.brotliCompressSync(text) },
};
const mainPackings = ["gzip", "deflate", "br"].map((name) => packings[name] ?? gzip);

const textOf = (content: string) =>
  JSON.stringify(chatBody("good", { messages: [{ role: "user", content }] }));

/** Sends bytes as they are, in pieces of `size` when given, else with their length. */
async function send(encoding: string, bytes: Buffer, { path = CHAT as string, size = 0 } = {}) {
  const pieces = size === 0 ? [bytes] : cut(bytes, size);
  const answer = await rawCall(gateway.server.url, {
    path,
    headers: {
      authorization: `Bearer ${user.key}`,
      "content-type": "application/json",
      "content-encoding": encoding,
      ...(size === 0 ? { "content-length": String(bytes.length) } : {}),
    },
    pieces,
  });
  return { ...answer, text: answer.body };
}

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

function refusal(answer: RawAnswer & { text: string }, code: string, path: string = CHAT) {
  const error = expectRefusal(answer, path, code);
  return `${error.param ?? ""}: ${error.message}`;
}

describe.each(Object.keys(packings))("a body packed with %s", (name) => {
  const { encoding, pack } = packings[name] ?? gzip;

  test.each(PATHS)("is read by %s like the same body without", async (path) => {
    const answer = await send(encoding, pack(textOf("Grüße 🙂")), { path });
    expect([answer.status, answer.body.slice(0, 200)]).toEqual([200, expect.any(String)]);
  });

  test("arrives at the node whole, however it is cut, and without the header", async () => {
    const content = `${randomBytes(9_000).toString("base64")} Grüße 🙂`;
    for (const size of [0, 1, 1_001]) {
      expect((await send(encoding, pack(textOf(content)), { size })).status).toBe(200);
      const { body = "{}", headers } = node?.calls.at(-1) ?? {};
      const arrived: { messages: { content: string }[] } = JSON.parse(body);
      expect(arrived.messages[0]?.content).toBe(content);
      expect(headers).not.toHaveProperty("content-encoding");
    }
  });
});

describe("zstd", () => {
  const pack: unknown = Reflect.get(zlib, "zstdCompressSync");

  test("is read where Node knows it, and elsewhere a 415 names what is read", async () => {
    const bytes = typeof pack === "function" ? pack(textOf("Hello")) : Buffer.from("(\xb5/\xfd", "latin1");
    const answer = await send("zstd", bytes);
    if (typeof pack === "function") expect(answer.status).toBe(200);
    else expect(refusal(answer, "UNSUPPORTED_MEDIA_TYPE")).toContain("gzip, deflate, br");
  });
});

describe("an encoding that is not read", () => {
  test.each(["compress", "gzip, br", "br, gzip", "gzip;q=1", "aes128gcm", "utf-8"])(
    "(%s) is a 415 that names those which are",
    async (encoding) => {
      for (const path of PATHS) {
        const answer = await send(encoding, zlib.gzipSync(textOf("Hello")), { path });
        expect(refusal(answer, "UNSUPPORTED_MEDIA_TYPE", path)).toContain("gzip, deflate, br");
        expect(answer.headers["accept-encoding"]).toContain("gzip, deflate, br");
      }
    },
  );

  test("is told before a byte of the body is read", async () => {
    const answer = await rawCall(gateway.server.url, {
      path: CHAT,
      headers: {
        authorization: `Bearer ${user.key}`,
        "content-type": "application/json",
        "content-encoding": "compress",
        "content-length": "5000",
      },
      pieces: ["x"],
      unfinished: true,
    });
    expect(answer.status).toBe(415);
  });
});

/** Source: docs/reliability.md#r-125. */
describe("a small body that becomes a large one", () => {
  test("beyond MAX_BODY_BYTES is a 413, as when it came uncompressed", async () => {
    const content = randomBytes(LIMIT).toString("base64");
    for (const { encoding, pack } of [gzip, packings.deflate ?? gzip, { encoding: "br", pack: fastBrotli }]) {
      const calls = node?.calls.length;
      const said = refusal(await send(encoding, pack(textOf(content))), "PAYLOAD_TOO_LARGE");
      expect(said).toContain(String(LIMIT));
      expect(node?.calls.length).toBe(calls);
    }
  });

  test("and is more than 100 times as large is a 413 that says so, long before the limit", async () => {
    const content = "x".repeat(LIMIT - 10_000);
    for (const { encoding, pack } of mainPackings) {
      const said = refusal(await send(encoding, pack(textOf(content))), "PAYLOAD_TOO_LARGE");
      expect(said).toMatch(/100 times/);
      expect(said).toContain("Content-Encoding");
    }
    expect(await keyMoney(gateway.server, user)).toMatchObject({ held: 0 });
  });

  test("of up to 1 MiB is read however well it was compressed", async () => {
    for (const { encoding, pack } of mainPackings) {
      const bytes = pack(textOf("x".repeat(MIB - 1_000)));
      expect(bytes.length).toBeLessThan(MIB / 200);
      expect((await send(encoding, bytes)).status).toBe(200);
    }
  });

  test("of several megabytes, compressed as text is, is read", async () => {
    const content = Array.from({ length: 40_000 }, (_, at) => `Line ${at} of ${at * 7919}.`).join("\n");
    const text = textOf(content.repeat(4));
    expect(text.length).toBeGreaterThan(3 * MIB);
    expect((await send("gzip", zlib.gzipSync(text), { size: 50_000 })).status).toBe(200);
  });

  test("many of them at once leave streams and memory alone", async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(256 * MIB, " "), { level: 9 });
    const before = await residentBytes();
    const stream = gateway.server.gateway(CHAT, user.key, chatBody("steady", { stream: true }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => send("gzip", bomb)));
    for (const answer of answers) refusal(answer, "PAYLOAD_TOO_LARGE");
    expect((await residentBytes()) - before).toBeLessThan(200 * MIB);
    expect(await (await stream).text()).toContain("[DONE]");
  });
});

function fastBrotli(text: string): Buffer {
  return zlib.brotliCompressSync(text, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
}

describe("compressed data that is not whole and sound", () => {
  const good = textOf("Hello");
  const broken: Readonly<Record<string, (packed: Buffer) => Buffer>> = {
    "is plain text": () => Buffer.from(good),
    "is cut off": (packed) => packed.subarray(0, -3),
    "has turned bytes": (packed) => Buffer.concat([packed.subarray(0, 12).reverse(), packed.subarray(12)]),
    "goes on after its end": (packed) => Buffer.concat([packed, Buffer.from("{}")]),
    "is of one byte": (packed) => packed.subarray(0, 1),
  };

  test.each(Object.keys(broken))("because it %s is a 400 that names content-encoding", async (name) => {
    for (const { encoding, pack } of mainPackings) {
      for (const size of [0, 7]) {
        const answer = await send(encoding, broken[name]?.(pack(good)) ?? Buffer.alloc(0), { size });
        expect([encoding, refusal(answer, "INVALID_REQUEST")]).toEqual([
          encoding,
          expect.stringMatching(/^content-encoding: .*Content-Encoding/i),
        ]);
      }
    }
    expect((await send("gzip", zlib.gzipSync(good))).status).toBe(200);
  });

  test("because there is none of it is told that the body is empty", async () => {
    for (const { encoding } of mainPackings)
      expect(refusal(await send(encoding, Buffer.alloc(0)), "INVALID_REQUEST")).toMatch(/empty/);
  });

  test("or holds no JSON is told so", async () => {
    expect(refusal(await send("gzip", zlib.gzipSync("{broken")), "INVALID_REQUEST")).toMatch(/^body: /);
  });
});

test("a client that leaves in the middle of a compressed body leaves nothing behind", async () => {
  const packed = zlib.gzipSync(randomBytes(100_000));
  const head = `POST ${CHAT} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user.key}\r\ncontent-type: application/json\r\n`;
  for (let round = 0; round < 5; round += 1) {
    const socket = connect(Number(new URL(gateway.server.url).port), "127.0.0.1");
    socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`);
    socket.write(packed.subarray(0, 40_000));
    await eventually(async () => ((await inFlight()) === 1 ? true : null));
    socket.destroy();
    await eventually(async () => ((await inFlight()) === 0 ? true : null));
  }
  expect((await send("gzip", zlib.gzipSync(textOf("Hello")))).status).toBe(200);
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${gateway.server.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

function residentBytes(): Promise<number> {
  return metric("tollgate_process_resident_memory_bytes");
}

function inFlight(): Promise<number> {
  return metric("tollgate_requests_in_flight");
}

/** Source: docs/contract.md#b9. */
test("an account that floods with large packed bodies holds up another account's by no more than a turn", async () => {
  const flood = await gateway.key();
  const other = await gateway.server.user();
  const words = randomBytes(12 * 1024).toString("base64");
  // A block becomes about thirty times as large as it came.
  const blocks = Array.from({ length: 400 }, () => words + randomBytes(300).toString("base64"));
  const large = gzip.pack(textOf(blocks.join("")));
  const post = (who: TestUser, body: Buffer) =>
    fetch(`${gateway.server.url}${CHAT}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${who.key}`,
        "content-type": "application/json",
        "content-encoding": "gzip",
      },
      body: new Uint8Array(body),
    });
  const FLOOD = 24;
  let answered = 0;
  const flooding = Array.from({ length: FLOOD }, async () => {
    const answer = await post(flood, large);
    await answer.arrayBuffer();
    answered += 1;
    return answer;
  });
  const calm = await post(other, gzip.pack(textOf("Hello")));
  expect(`${calm.status} ${await calm.text()}`).toMatch(/^200/);
  expect(answered).toBeLessThan(FLOOD / 2);
  for (const answer of await Promise.all(flooding)) {
    // The prompt is larger than the model's context, or too much is opened at once: never a malfunction.
    expect([200, 400, 413, 503]).toContain(answer.status);
    if (answer.status === 503) expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  }
});
