import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import type { Fleet } from "../fleet";
import { bodyFor, responsesBodyFor, small } from "../payloads";
import { sameProtocolAlias } from "../tollgate-config";
import type { TollgateServer } from "../tollgate-server";
import { atLeast, type Figure } from "./figure";

const BYSTANDERS = 4;
const CALLERS = 8;
const WINDOW_MS = 4_000;
const ROUNDS = 3;
const SETTLING_MS = 2_000;
/** What a bystander keeps beside callers of large histories, of what as many plain callers leave it. */
const KEPT = 0.7;
/** Just below the largest body that is accepted. */
const HISTORY_BYTES = 10 * 1024 * 1024 - 256 * 1024;
const ITEM_BYTES = 5_000;
const TRIES = 10;

/** One kind of call that is repeated without a pause. */
interface Repeated {
  name: string;
  call(caller: Caller): Promise<number>;
}

/** An account's key and, for callers, the stored response that each of them refers to. */
interface Caller {
  url: string;
  key: string;
  response: string;
  agent: Agent;
}

/**
 * The answers of bystanders beside callers who refer to a stored response of 10 MB, as a share of their answers beside
 * as many callers of small requests; windows of both kinds take turns. The callers have an account of their own.
 */
export async function historyFigures(fleet: Fleet): Promise<Figure[]> {
  const server = await fleet.server("tollgate");
  const bystanders = await callersOf(server, "bystanders", BYSTANDERS);
  const callers = await callersOf(server, "callers", CALLERS);
  for (const caller of callers) caller.response = await stored(caller);
  await answersBeside(bystanders, callers, plain);
  const figures: Figure[] = [];
  for (const kind of [referring, showing, counting]) {
    const answers = { plain: 0, kind: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      answers.plain += await answersBeside(bystanders, callers, plain);
      answers.kind += await answersBeside(bystanders, callers, kind);
    }
    figures.push({
      name: `answers of bystanders beside ${CALLERS} callers ${kind.name}, of those beside plain callers`,
      value: answers.kind / answers.plain,
      unit: "",
      goal: atLeast(KEPT),
    });
  }
  return figures;
}

/** How many answers the bystanders get in a window while the callers repeat their calls; refusals do not count. */
async function answersBeside(
  bystanders: readonly Caller[],
  callers: readonly Caller[],
  { call }: Repeated,
): Promise<number> {
  let isOver = false;
  let answers = 0;
  const repeat = async (caller: Caller) => {
    while (!isOver) await call(caller);
  };
  const asked = async (bystander: Caller) => {
    while (!isOver) if ((await plain.call(bystander)) === 200) answers += 1;
  };
  const running = [...callers.map(repeat), ...bystanders.map(asked)];
  await Promise.race([sleep(WINDOW_MS), ...running]);
  isOver = true;
  const counted = answers;
  await Promise.all(running);
  await sleep(SETTLING_MS);
  return counted;
}

const plain: Repeated = {
  name: "of small requests",
  call: (caller) => post(caller, "/v1/chat/completions", bodyFor(small, sameProtocolAlias(small.name))),
};

const referring: Repeated = {
  name: "with previous_response_id",
  call: (caller) => post(caller, "/v1/responses", referenceTo(caller)),
};

const showing: Repeated = {
  name: "of GET /v1/responses/{id}",
  async call({ url, key, response, agent }) {
    const answer = await request(`${url}/v1/responses/${response}`, {
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}` },
    });
    await answer.body.dump({ limit: 2 * HISTORY_BYTES });
    return answer.statusCode;
  },
};

const counting: Repeated = {
  name: "of input_tokens",
  call: (caller) => post(caller, "/v1/responses/input_tokens", referenceTo(caller)),
};

function referenceTo({ response }: Caller): string {
  const model = sameProtocolAlias(small.name);
  return JSON.stringify({ model, input: "Go on.", previous_response_id: response, store: false });
}

async function post({ url, key, agent }: Caller, path: string, body: string): Promise<number> {
  const answer = await request(url + path, {
    method: "POST",
    dispatcher: agent,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body,
  });
  await answer.body.dump({ limit: HISTORY_BYTES });
  return answer.statusCode;
}

/** Stores a response of nearly 10 MB, which a busy machine may not do in time, and returns its id. */
async function stored(caller: Caller): Promise<string> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await store(caller);
    } catch (error) {
      if (tried === TRIES) throw error;
    }
  }
}

/** Throws: when it is not stored. */
async function store({ url, key, agent }: Caller): Promise<string> {
  const model = sameProtocolAlias(small.name);
  const text = "the fox runs on ".repeat(ITEM_BYTES / 16);
  const input = Array.from({ length: Math.floor(HISTORY_BYTES / (ITEM_BYTES + 40)) }, (_, turn) => ({
    role: turn % 2 === 0 ? "user" : "assistant",
    content: text,
  }));
  const sent = { ...JSON.parse(responsesBodyFor(small, model)), input, store: true };
  const answer = await request(`${url}/v1/responses`, {
    method: "POST",
    dispatcher: agent,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(sent),
  });
  const response = await answer.body.json();
  if (typeof response !== "object" || response === null) throw new Error("the answer is no object");
  const { id, store: isStored }: { id?: unknown; store?: unknown } = response;
  if (typeof id !== "string" || isStored !== true)
    throw new Error(
      `the history was not stored: ${answer.statusCode} ${JSON.stringify(response).slice(0, 200)}`,
    );
  return id;
}

/** Keys of a new account, one for each caller. */
async function callersOf(server: TollgateServer, username: string, count: number): Promise<Caller[]> {
  const keys = await server.keysOfNewAccount(username, count);
  return keys.map((key) => ({ url: server.url, key, response: "", agent: new Agent({ connections: 1 }) }));
}
