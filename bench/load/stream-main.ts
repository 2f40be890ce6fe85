import { STAMP_DIGITS, STAMP_MARK } from "../mock/answers";
import { quantile } from "../statistics";
import { StreamConnection } from "./stream-connection";
import type { StreamOrder, StreamResult } from "./streams";
import { requestText } from "./target";

/**
 * Reads streams in a separate process with several readers, each of which reads one stream after the other. Every
 * delta contains the time at which the mock sent it, on the machine's shared monotonic clock.
 */
// The member that holds a delta: the frames that end a Responses stream repeat the text in others.
const STAMP = new RegExp(`"(?:content|delta|arguments)":"${STAMP_MARK}(\\d{${STAMP_DIGITS}})`, "g");
const END = /data: \[DONE\]\s*$/;
const TAIL = 64;

const delaysUs: number[] = [];
const firstUs: number[] = [];
const turnUs: number[] = [];
let completed = 0;
let failed = 0;
let failure = "";

process.once("message", (message) => {
  const order = message as StreamOrder; // what streams.ts sends
  run(order).then(report, (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});

async function run(order: StreamOrder): Promise<void> {
  const url = order.targets[0]?.url ?? "";
  const requests = order.targets.map((target) => Buffer.from(requestText(target)));
  const connections = Array.from({ length: order.streams }, () => new StreamConnection(url));
  await Promise.all(connections.map((connection) => connection.connected()));
  await Promise.all(connections.slice(0, order.warmUp).map((connection) => readAll(connection, requests)));
  completed = 0;
  for (const times of [delaysUs, firstUs, turnUs]) times.length = 0;
  const readers = connections.map(async (connection, index) => {
    if (order.spreadMs > 0) await wait((index / order.streams) * order.spreadMs);
    for (let turn = 0; turn < order.turns; turn++) await readAll(connection, requests);
    connection.close();
  });
  await Promise.all(readers);
}

async function readAll(connection: StreamConnection, requests: readonly Buffer[]): Promise<void> {
  const began = nowUs();
  for (const request of requests) await readOne(connection, request);
  turnUs.push(nowUs() - began);
}

async function readOne(connection: StreamConnection, request: Buffer): Promise<void> {
  const began = nowUs();
  let tail = "";
  let any = false;
  const problem = await connection.read(request, (body) => {
    const now = nowUs();
    const text = tail + body;
    let last = 0;
    for (const match of text.matchAll(STAMP)) {
      if (!any) firstUs.push(now - began);
      any = true;
      delaysUs.push(now - Number(match[1]));
      last = match.index + match[0].length;
    }
    tail = text.slice(Math.max(last, text.length - TAIL));
  });
  if (problem === null && END.test(tail)) {
    completed += 1;
    return;
  }
  failed += 1;
  failure ||= problem ?? tail;
}

function report(): void {
  const result: StreamResult = {
    completed,
    failed,
    failure,
    chunks: delaysUs.length,
    ttftP50Us: share(firstUs, 0.5),
    ttftP99Us: share(firstUs, 0.99),
    delayP50Us: share(delaysUs, 0.5),
    delayP99Us: share(delaysUs, 0.99),
    turns: turnUs.length,
    turnP50Us: share(turnUs, 0.5),
  };
  process.send?.(result, undefined, {}, () => process.disconnect());
}

function share(values: readonly number[], part: number): number {
  return values.length === 0 ? 0 : quantile(values, part);
}

function nowUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
