import { describe, expect, test } from "vitest";
import { isObject, type JsonObject } from "@/lib/kernel/json-object";
import { type Protocol, protocolIds } from "@/lib/protocols/protocol";
import { framesOf } from "../support/fold";
import { gatewayFor, keyMoney, logEntries } from "../support/gateway-fixtures";
import { rawCall } from "../support/raw-http";
import { readResponse } from "../support/responses-stream";
import {
  loadCheckStream,
  type RecordedSession,
  recordedSessions,
  responsesAbsence,
  responsesPresent,
} from "./responses";

const PATH = "/v1/responses";

// Named like models whose abilities are known, so that requests are prepared as they would be for those.
const upstreamModels: Record<Protocol, string> = {
  chat: "gpt-4.1",
  messages: "claude-sonnet-4-5",
  responses: "gpt-5.5",
  gemini: "gemini-3-pro",
};

/** What the client would not send again: it belongs to the recorded connection. */
const connection = /^(?:host|connection|content-length|authorization|accept-encoding|upgrade|sec-.*)$/;

/** The answers that a session has got so far, by the place of their request. */
type Answers = Map<number, JsonObject>;

const sessions = responsesPresent ? recordedSessions() : [];

describe.skipIf(!responsesPresent)(
  `what Codex and the SDKs sent, through the running server${responsesAbsence}`,
  () => {
    const gateway = gatewayFor({
      env: { WS_RESPONSES: "0" },
      models: protocolIds.map((node) => ({
        alias: `on-${node}`,
        maxOutputTokens: 128_000,
        routes: [[node, upstreamModels[node]]],
      })),
    });

    test("is 23 sessions of Codex and 15 of SDKs", () => {
      const count = (wanted: string) => sessions.filter(({ program }) => program === wanted).length;
      expect([count("codex"), count("sdk")]).toEqual([23, 15]);
    });

    describe.each(protocolIds)("on a %s node that checks what it gets", (node) => {
      test.each(sessions)("$name is answered and billed, in sound streams", async (session) => {
        const user = await gateway.key();
        const billed = await replay(session, `on-${node}`, user.key);
        const all = await logEntries(gateway.server, user);
        const entries = all.filter(({ tokenId }) => tokenId === user.keyId);
        expect(entries.map(({ status }) => status)).toEqual(Array(billed).fill("success"));
        expect(entries.filter(({ cost }) => !(Number(cost) > 0))).toEqual([]);
        const { usedQuota, held } = await keyMoney(gateway.server, user);
        expect(held).toBe(0);
        expect(usedQuota).toBeCloseTo(
          entries.reduce((sum, { cost }) => sum + Number(cost), 0),
          6,
        );
      });
    });

    /** Sends all requests of a session in their order; returns how many were billed. */
    async function replay({ requests }: RecordedSession, model: string, key: string): Promise<number> {
      const answers: Answers = new Map();
      for (const { method, headers, body } of requests) {
        const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !connection.test(name)));
        if (method === "GET" || body === null) {
          const handshake = { ...sent, connection: "Upgrade", upgrade: "websocket" };
          const { status } = await rawCall(gateway.server.url, { method, path: PATH, headers: handshake });
          expect(status).toBe(426);
          continue;
        }
        const asked = { ...withOwnIds(body, answers), model };
        const answer = await gateway.server.gateway(PATH, key, asked, sent);
        const text = await answer.text();
        expect([answer.status, text.slice(0, 500)]).toEqual([200, expect.anything()]);
        answers.set(answers.size, body.stream === true ? await checked(text, model) : JSON.parse(text));
      }
      return answers.size;
    }
  },
);

/** The response of a stream that keeps every rule; the counts of a Responses node pass as they came. */
async function checked(wire: string, model: string): Promise<JsonObject> {
  const { errors } = (await loadCheckStream())(wire, { profile: "gateway", done: "require" });
  const { problems, body } = readResponse(framesOf(wire));
  const own = model === "on-responses" ? [] : problems;
  expect([...errors.map(({ rule, msg }) => `${rule}: ${msg}`), ...own]).toEqual([]);
  return body ?? {};
}

/**
 * The request with the ids that this gateway gave where it names what was answered before. The recorded ids tell the place
 * of their request and the kind of item. Items that this node has not made are left out.
 */
function withOwnIds(body: JsonObject, answers: Answers): JsonObject {
  const { input, previous_response_id: previous } = body;
  const own = { ...body };
  if (typeof previous === "string")
    own.previous_response_id = answers.get(Number(previous.replace("resp_scripted", "")))?.id;
  if (Array.isArray(input))
    own.input = input.flatMap((item) => {
      if (!isObject(item) || item.type !== "item_reference") return [item];
      const id = ownId(String(item.id), answers);
      return id === null ? [] : [{ ...item, id }];
    });
  return own;
}

function ownId(recorded: string, answers: Answers): string | null {
  const [prefix = "", hex = ""] = recorded.split("_");
  const place = Number.parseInt(Buffer.from(hex, "hex").toString(), 10);
  const output = answers.get(place)?.output;
  const items = Array.isArray(output) ? output.filter(isObject) : [];
  const item = items.find(({ id }) => typeof id === "string" && id.startsWith(`${prefix}_`));
  return item === undefined ? null : String(item.id);
}
