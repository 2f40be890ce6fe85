import { setTimeout as sleep } from "node:timers/promises";
import { sameProtocolArm } from "../arms/gateway";
import type { Fleet } from "../fleet";
import { startPacedWrk } from "../load/wrk";
import { load } from "../measure";
import { small } from "../payloads";
import type { TollgateServer } from "../tollgate-server";
import { atLeast, atMost, type Figure, type Goal } from "./figure";

const PEAK_CONNECTIONS = 64;
const WARM_UP_MS = 12_000;
const PEAK_MS = 8_000;
const OVERLOADS = [3, 10];
const CONNECTIONS = 3_000;
const SERVED = 0.85;
/** As before, within the noise of two windows. */
const RECOVERED = 0.9;
const RECOVERY_MS = 5_000;
const SETTLED_WITHIN_MS = 20_000;

/**
 * The throughput at three and ten times the peak load for so many seconds, the refusals, and whether the peak recovers;
 * on PostgreSQL and on the embedded database. It needs wrk.
 */
export async function overloadFigures(fleet: Fleet, seconds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const variant of ["tollgate", "embedded"] as const) {
    const server = await fleet.server(variant);
    await perSecond(fleet, server, WARM_UP_MS);
    for (const times of OVERLOADS)
      figures.push(...(await beyond(fleet, server, { times, seconds, variant })));
    await server.child.stop("SIGTERM");
  }
  return figures;
}

async function beyond(
  fleet: Fleet,
  server: TollgateServer,
  { times, seconds, variant }: { times: number; seconds: number; variant: string },
): Promise<Figure[]> {
  const peak = await perSecond(fleet, server, PEAK_MS);
  await fleet.mock.reset();
  const { target } = sameProtocolArm("tollgate", "", server);
  const pauseMs = (CONNECTIONS / (peak * times)) * 1_000;
  const running = startPacedWrk(target(small), CONNECTIONS, pauseMs, fleet.directory);
  await sleep(seconds * 1_000);
  const { served, refused, unhinted, others, broken, p50Us, p99Us } = await running.finish();
  await untilSettled(server);

  await sleep(RECOVERY_MS);
  const after = await perSecond(fleet, server, PEAK_MS);
  const asked = (served + refused + others + broken) / seconds;
  const figure = (name: string, value: number, unit: string, goal: Goal | null = null): Figure => ({
    name: `${times} x the peak, ${variant}: ${name}`,
    value,
    unit,
    goal,
  });
  return [
    figure(`calls a second at ${PEAK_CONNECTIONS} connections, the peak`, peak, "/s"),
    figure(`calls a second on ${CONNECTIONS} connections`, asked / peak, "x the peak"),
    figure("of them served", served / seconds / peak, "x the peak", atLeast(SERVED)),
    figure("neither served nor told to come back", others + broken + unhinted, "calls", atMost(0)),
    figure("half of all answers within", p50Us / 1_000, "ms"),
    figure("99 of 100 answers within", p99Us / 1_000, "ms"),
    figure(`served ${RECOVERY_MS / 1_000} s later`, after / peak, "x the peak", atLeast(RECOVERED)),
  ];
}

async function perSecond(fleet: Fleet, server: TollgateServer, ms: number): Promise<number> {
  const cell = { suite: "overload", payload: small, connections: PEAK_CONNECTIONS };
  const sample = await load(fleet.rig, sameProtocolArm("tollgate", "", server), cell, ms);
  return sample.requests / (sample.activeMs / 1_000);
}

/**
 * The load generator disconnects during requests, so the mock's count is no oracle here; but no hold may remain, and
 * the gateway's reconciliation must succeed. Throws: when it does not in time.
 */
async function untilSettled(server: TollgateServer): Promise<void> {
  const giveUpAt = Date.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const { openHolds, consistent } = await server.ledgerSummary();
    if (openHolds === 0 && consistent) return server.expectExistingLedger();
    if (Date.now() > giveUpAt)
      throw new Error(`overload: ${openHolds} holds are open, counters agree: ${consistent}`);
    await sleep(200);
  }
}
