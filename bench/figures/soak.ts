import { setTimeout as sleep } from "node:timers/promises";
import { sameProtocolArm } from "../arms/gateway";
import type { Fleet } from "../fleet";
import { load } from "../measure";
import { small } from "../payloads";
import { residentBytes } from "../process-usage";
import { slope } from "../statistics";
import { atMost, type Figure } from "./figure";

const MB = 1_000_000;
const SAMPLE_MS = 1_000;
/** Between two full collections the heap grows and shrinks; what stays is its least in so many samples. */
const SAMPLES_PER_POINT = 15;
const CONNECTIONS = 32;
/** The first part is a warm-up: caches fill and the heap reaches its size. */
const SETTLED_SHARE = 0.4;

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
      value: slope(lowPoints(samples).filter(([minute]) => minute > minutes * SETTLED_SHARE)),
      unit: "MB/min",
      goal: atMost(0.5),
    },
  ];
}

/** The least of each group of samples that follow each other, at its time. */
function lowPoints(samples: readonly number[]): [minute: number, mb: number][] {
  const points: [number, number][] = [];
  for (let at = 0; at + SAMPLES_PER_POINT <= samples.length; at += SAMPLES_PER_POINT)
    points.push([(at * SAMPLE_MS) / 60_000, Math.min(...samples.slice(at, at + SAMPLES_PER_POINT))]);
  return points;
}
