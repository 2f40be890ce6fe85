import { Agent, request } from "node:http";
import { STAMP_DIGITS, STAMP_MARK } from "../mock/answers";
import { quantile } from "../statistics";
import type { StreamOrder, StreamResult } from "./streams";

/**
 * Reads streams in a separate process with several readers, each of which reads one stream after the other. Every
 * delta contains the time at which the mock sent it, on the machine's shared monotonic clock.
 */
const STAMP = new RegExp(`${STAMP_MARK}(\\d{${STAMP_DIGITS}})`, "g");
const END = /data: \[DONE\]\s*$/;
const TAIL = 64;

const delaysUs: number[] = [];
const firstUs: number[] = [];
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
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const readers = Array.from({ length: order.streams }, async (_, index) => {
    await wait((index / order.streams) * order.spreadMs);
    for (let turn = 0; turn < order.turns; turn++) await readOne(order, agent);
  });
  await Promise.all(readers);
  agent.destroy();
}

function readOne({ target }: StreamOrder, agent: Agent): Promise<void> {
  return new Promise((resolve) => {
    const began = nowUs();
    let tail = "";
    let any = false;
    const over = (problem: string | null) => {
      if (problem === null) completed += 1;
      else failed += 1;
      failure ||= problem ?? "";
      resolve();
    };
    const asked = request(target.url, { method: "POST", headers: target.headers, agent }, (answer) => {
      answer.on("data", (bytes: Buffer) => {
        const now = nowUs();
        const text = tail + bytes.toString("latin1");
        let last = 0;
        for (const match of text.matchAll(STAMP)) {
          if (!any) firstUs.push(now - began);
          any = true;
          delaysUs.push(now - Number(match[1]));
          last = match.index + match[0].length;
        }
        tail = text.slice(Math.max(last, text.length - TAIL));
      });
      answer.once("end", () =>
        over(answer.statusCode === 200 && END.test(tail) ? null : `${answer.statusCode} ${tail}`),
      );
      answer.once("error", (error) => over(error.message));
    });
    asked.once("error", (error) => over(error.message));
    asked.end(target.body);
  });
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
