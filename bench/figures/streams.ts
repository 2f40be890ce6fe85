import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sameProtocolArm } from "../arms/gateway";
import type { Fleet } from "../fleet";
import { readStreams } from "../load/streams";
import { requestText, type Target } from "../load/target";
import type { Payload } from "../payloads";
import { residentBytes } from "../process-usage";
import type { TollgateServer } from "../tollgate-server";
import { atMost, type Figure } from "./figure";

const KB = 1_000;
const KIB = 1_024;
const MIB = KIB * KIB;
const IDLE_SECONDS = 10;
const STREAMS = 1_000;
const FLOOD_BYTES = 16 * KIB;
const FLOOD_EVERY_MS = 100;
const FLOOD_SECONDS = 35;
const LAST_SECONDS = 5;
const RELEASE_TIMEOUT_MS = 20_000;

/** Nearly idle streams, and streams that send much more than is read. */
export const idle: Payload = streaming("idle", {
  chunks: IDLE_SECONDS,
  every: 1_000,
  out: IDLE_SECONDS * 34,
});
export const flood: Payload = streaming("flood", {
  chunks: (FLOOD_SECONDS * 2_000) / FLOOD_EVERY_MS,
  every: FLOOD_EVERY_MS,
  out: ((FLOOD_SECONDS * 2_000) / FLOOD_EVERY_MS) * FLOOD_BYTES,
});

/** The memory of an open stream. `share` scales their number for quick runs. */
export async function openStreamFigure(fleet: Fleet, share: number): Promise<Figure> {
  const server = await fleet.server("probed");
  const streams = Math.round(STREAMS * share);
  const arm = sameProtocolArm("tollgate", "", server);
  const order = { targets: [arm.target(idle)], streams, turns: 1, spreadMs: 1_000, warmUp: 0 };
  await fleet.mock.reset();
  // The first time fills pools and caches that stay.
  await readStreams(order);
  const before = residentBytes(server.pid);
  const reading = readStreams(order);
  await sleep((IDLE_SECONDS / 2) * 1_000);
  const during = residentBytes(server.pid);
  const { failed, failure } = await reading;
  const problems = [...(failed > 0 ? [failure] : []), ...(await arm.verify(await fleet.mock.counts()))];
  if (problems.length > 0) throw new Error(`open streams: ${problems.join("; ")}`);
  const value = (during - before) / streams / KB;
  return { name: `resident memory of each of ${streams} open streams`, value, unit: "KB", goal: atMost(40) };
}

/** The effect of clients that do not read. `share` scales their number for quick runs. */
export async function slowReaderFigures(fleet: Fleet, share: number): Promise<Figure[]> {
  const server = await fleet.server("probed");
  const readers = Math.round(STREAMS * share);
  const target = sameProtocolArm("tollgate", "", server).target(flood);
  await fleet.mock.reset();
  const sockets = Array.from({ length: readers }, () => askAndLook(target));
  await sleep(3_000);
  const first = residentBytes(server.pid);
  let most = first;
  const sent: number[] = [];
  for (let second = 0; second < FLOOD_SECONDS; second++) {
    await sleep(1_000);
    most = Math.max(most, residentBytes(server.pid));
    sent.push((await fleet.mock.counts()).streamBytes);
  }
  for (const socket of sockets) socket.destroy();
  await untilReleased(server);
  const lately = ((sent.at(-1) ?? 0) - (sent.at(-1 - LAST_SECONDS) ?? 0)) / LAST_SECONDS;
  const offered = (readers * FLOOD_BYTES * 1_000) / FLOOD_EVERY_MS;
  return [
    {
      name: `growth of resident memory with ${readers} readers that do not read`,
      value: (most - first) / MIB,
      unit: "MiB",
      goal: atMost(64),
    },
    {
      name: "what the upstream can still send to them, of what it offers",
      value: (lately / offered) * 100,
      unit: "%",
      goal: atMost(5),
    },
  ];
}

/** Requests a stream and never reads it. */
function askAndLook(target: Target): Socket {
  const { hostname, port } = new URL(target.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => socket.destroy());
  socket.write(requestText(target));
  return socket.pause();
}

/** Aborted streams are charged up to the abort, so only the gateway's own reconciliation can be checked. */
async function untilReleased(server: TollgateServer): Promise<void> {
  const deadline = Date.now() + RELEASE_TIMEOUT_MS;
  for (;;) {
    const { openHolds, heldMicroCents, consistent } = await server.ledgerSummary();
    if (openHolds === 0 && heldMicroCents === 0n && consistent) break;
    if (Date.now() > deadline) throw new Error(`slow readers left ${openHolds} holds`);
    await sleep(200);
  }
  await server.expectExistingLedger();
}

function streaming(name: string, knobs: { chunks: number; every: number; out: number }): Payload {
  return {
    name,
    label: name,
    scenario: { ...knobs, prompt: 70, completion: knobs.chunks },
    body: {
      stream: true,
      max_tokens: 1_000_000,
      messages: [{ role: "user", content: "Tell me everything." }],
    },
  };
}
