import { afterAll, beforeAll } from "vitest";
import { gatewayFor } from "./gateway-fixtures";
import { rawCall } from "./raw-http";
import { type ScriptedUpstream, sendJson, startScriptedUpstream } from "./scripted-upstream";
import type { TestUser } from "./server";

export const CHAT = "/v1/chat/completions";
export const MESSAGES = "/v1/messages";

/** Both client protocols, each with a model of either upstream protocol. */
export const pairs = [CHAT, MESSAGES].flatMap((path) =>
  ["on-chat", "on-messages"].map((model) => ({ path, model })),
);

/** A gateway for hostile requests, running from before the first test of a file to after the last one. */
export function hostileRig() {
  let node: ScriptedUpstream | null = null;
  let foreignHost: ScriptedUpstream | null = null;
  beforeAll(async () => {
    node = await startScriptedUpstream((response, { path }) =>
      sendJson(response, 200, path.endsWith("/messages") ? MESSAGES_ANSWER : CHAT_ANSWER),
    );
    foreignHost = await startScriptedUpstream((response) => sendJson(response, 200, {}));
  });
  afterAll(async () => {
    await node?.close();
    await foreignHost?.close();
  });
  const gateway = gatewayFor({
    nodes: () => [
      { name: "chat-node", url: node?.url ?? "" },
      { name: "messages-node", url: node?.url ?? "", protocol: "messages" },
    ],
    models: [
      { alias: "on-chat", maxOutputTokens: 1_000, routes: [["chat-node", "m"]] },
      { alias: "on-messages", maxOutputTokens: 1_000, routes: [["messages-node", "m"]] },
      { alias: "steady", routes: [["chat", "sim-chunks-150+every-20ms"]] },
    ],
  });
  let user: TestUser | null = null;
  beforeAll(async () => {
    user = await gateway.key();
  });
  return {
    gateway,
    get node() {
      return ready(node);
    },
    /** The host that a request's content names; it must never be called. */
    get foreignHost() {
      return ready(foreignHost);
    },
    get user() {
      return ready(user);
    },
    /** Sends a text as the body; a length is declared unless it goes out in pieces. */
    async send(path: string, text: string | Buffer, pieces = false) {
      const bytes = Buffer.from(text);
      const answer = await rawCall(gateway.server.url, {
        path,
        headers: {
          authorization: `Bearer ${ready(user).key}`,
          "content-type": "application/json",
          ...(pieces ? {} : { "content-length": String(bytes.length) }),
        },
        pieces: pieces ? cut(bytes) : [bytes],
      });
      return { ...answer, text: answer.body };
    },
  };
}

function ready<T>(part: T | null): T {
  if (part === null) throw new Error("the rig runs in tests only");
  return part;
}

function cut(bytes: Buffer): Buffer[] {
  const size = 100_003;
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );
}

const CHAT_ANSWER = {
  id: "c",
  object: "chat.completion",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const MESSAGES_ANSWER = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
