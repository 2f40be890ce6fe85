import { setTimeout as sleep } from "node:timers/promises";
import { sameProtocolArm } from "../arms/gateway";
import type { Fleet } from "../fleet";
import { load } from "../measure";
import { small } from "../payloads";
import { residentBytes } from "../process-usage";
import { atMost, type Figure } from "./figure";

const MB = 1_000_000;
const SAMPLE_MS = 1_000;
const CONNECTIONS = 32;
/** How fast resident memory grows under a steady load, and its most. */
export async function soakFigures(fleet: Fleet, minutes: number): Promise<Figure[]> {
  const server = await fleet.server("tollgate");
  const samples: number[] = [];
  let over = false;
  const watching = (async () => {
    while (!over) {
      samples.push(residentBytes(server.pid) / MB);
      await sleep(SAMPLE_MS, undefined, { ref: false });
    }
  })();
  const arm = sameProtocolArm("tollgate", "", server);
  const cell = { suite: "soak", payload: small, connections: CONNECTIONS };
  const loaded = await load(fleet.rig, arm, cell, minutes * 60_000).finally(() => {
    over = true;
  });
  await watching;
  const where = `${minutes} minutes at ${CONNECTIONS} connections`;
  return [
    { name: `requests in ${where}`, value: loaded.requests, unit: "", goal: null },
    { name: `most resident memory in ${where}`, value: Math.max(...samples), unit: "MB", goal: null },
    {
      name: `growth of resident memory in ${where}`,
      value: growth(samples) / (minutes / 3),
      unit: "MB/min",
      goal: atMost(0.5),
    },
  ];
}

/**
 * From the least in the second third to the least in the last one: between two full collections, which may be more than
 * a minute apart, the heap grows, and in the first third caches fill and the heap reaches its size.
 */
function growth(samples: readonly number[]): number {
  const third = Math.floor(samples.length / 3);
  return Math.min(...samples.slice(2 * third)) - Math.min(...samples.slice(third, 2 * third));
}
