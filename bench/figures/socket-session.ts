import { once } from "node:events";
import { Agent, request } from "undici";
import { WebSocket } from "ws";
import { toolText } from "../agent/texts";
import { AGENT_TOOLS } from "../agent/tools";
import type { Fleet } from "../fleet";
import { small } from "../payloads";
import { type SlowLink, startSlowLink } from "../slow-link";
import { median, randomFrom } from "../statistics";
import { sameProtocolAlias } from "../tollgate-config";
import type { Figure } from "./figure";

const TURNS = 30;
const ROUNDS = 5;
const LINK = { roundTripMs: 40, megabits: 20 };
const SEED = 20_261_201;
/** About what Codex sends before the first question. Units: characters. */
const INSTRUCTIONS = 12_000;
/** The result of a tool. Units: characters. */
const RESULT = 1_500;

/** What a session has taken. */
interface Taken {
  ms: number;
  up: number;
  down: number;
}

interface Session {
  model: string;
  key: string;
  link: SlowLink;
}

/**
 * A session of an agent with 30 turns over a link with a round trip of 40 ms and 20 Mbit/s: over WebSocket, where each
 * turn sends what is new and all tools, and over HTTP on a kept connection, where it sends everything.
 */
export async function socketSessionFigures(fleet: Fleet): Promise<Figure[]> {
  const server = await fleet.server("tollgate");
  const [key = ""] = await server.keysOfNewAccount("sessions", 1);
  const link = await startSlowLink(Number(new URL(server.url).port), LINK);
  const session = { model: sameProtocolAlias(small.name), key, link };
  const kinds = { WebSocket: overWebSocket, HTTP: overHttp };
  const taken = { WebSocket: [] as Taken[], HTTP: [] as Taken[] };
  try {
    await measured(session, overHttp);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const kind of ["WebSocket", "HTTP"] as const)
        taken[kind].push(await measured(session, kinds[kind]));
  } finally {
    await link.close();
  }
  const place = `a session of ${TURNS} turns, a round trip of ${LINK.roundTripMs} ms, ${LINK.megabits} Mbit/s`;
  return Object.entries(taken).flatMap(([kind, all]) => [
    figure(
      `${place}: time over ${kind}`,
      "s",
      all.map(({ ms }) => ms / 1_000),
    ),
    figure(
      `${place}: sent over ${kind}`,
      "KB",
      all.map(({ up }) => up / 1_000),
    ),
    figure(
      `${place}: received over ${kind}`,
      "KB",
      all.map(({ down }) => down / 1_000),
    ),
  ]);
}

function figure(name: string, unit: string, values: readonly number[]): Figure {
  return { name, value: median(values), unit, goal: null };
}

async function measured(session: Session, run: (session: Session) => Promise<void>): Promise<Taken> {
  const { link } = session;
  link.reset();
  const beganMs = performance.now();
  await run(session);
  return { ms: performance.now() - beganMs, ...link.bytes };
}

/** What every request of a session has, as Codex sends it. */
function common(model: string): Record<string, unknown> {
  const tools = (AGENT_TOOLS as { function: object }[]).map(({ function: told }) => ({
    type: "function",
    strict: false,
    ...told,
  }));
  return {
    model,
    tools,
    tool_choice: "auto",
    parallel_tool_calls: true,
    store: false,
    max_output_tokens: 400,
  };
}

/** What each turn adds to the conversation: first the instructions and the question, then results of tools. */
function additions(): object[][] {
  const random = randomFrom(SEED);
  const message = (role: string, text: string) => ({
    type: "message",
    role,
    content: [{ type: "input_text", text }],
  });
  const opening = [
    message("developer", toolText(random, INSTRUCTIONS)),
    message("user", "Repair src/address.ts."),
  ];
  return Array.from({ length: TURNS }, (_, turn) =>
    turn === 0 ? opening : [message("user", toolText(random, RESULT))],
  );
}

async function overHttp({ model, key, link }: Session): Promise<void> {
  const agent = new Agent({ connections: 1 });
  const input: object[] = [];
  for (const added of additions()) {
    input.push(...added);
    const answer = await request(`http://127.0.0.1:${link.port}/v1/responses`, {
      method: "POST",
      dispatcher: agent,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...common(model), input, stream: true }),
    });
    const last = lastEvent(
      (await answer.body.text()).split("\n").filter((line) => line.startsWith("data: {")),
    );
    input.push(...last.output);
  }
  await agent.close();
}

async function overWebSocket({ model, key, link }: Session): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${link.port}/v1/responses`, {
    headers: { authorization: `Bearer ${key}` },
    perMessageDeflate: false,
  });
  await once(socket, "open");
  let previous: string | null = null;
  for (const input of additions()) {
    const goOn = previous === null ? {} : { previous_response_id: previous };
    socket.send(JSON.stringify({ type: "response.create", ...common(model), ...goOn, input }));
    previous = (await terminalEvent(socket)).id;
  }
  socket.close();
  await once(socket, "close");
}

/** The response of the next terminal event. Throws: an error event, or the socket closes. */
function terminalEvent(socket: WebSocket): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const closed = () => reject(new Error("the socket has closed"));
    const read = (data: unknown) => {
      const text = String(data);
      if (!/^\{"type":"(?:error|response\.(?:completed|incomplete|failed))"/.test(text)) return;
      socket.off("message", read);
      socket.off("close", closed);
      try {
        resolve(lastEvent([text]));
      } catch (error) {
        reject(error);
      }
    };
    socket.on("message", read);
    socket.once("close", closed);
  });
}

interface Ended {
  id: string;
  output: object[];
}

/** The response of the last event. Throws: it is not complete. */
function lastEvent(events: readonly string[]): Ended {
  const text = events.at(-1)?.replace(/^data: /, "") ?? "";
  const { response }: { response?: Ended & { status: string } } = JSON.parse(text === "" ? "{}" : text);
  if (response?.status !== "completed") throw new Error(`a turn was not completed: ${text.slice(0, 300)}`);
  return response;
}
