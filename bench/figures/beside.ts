import type { Arm } from "../arms/arm";
import type { Fleet } from "../fleet";
import { type Cell, load, loadTogether } from "../measure";
import { heavy, tiny } from "../payloads";
import { median, shuffled } from "../statistics";
import { atMost, type Figure } from "./figure";

/** How often and how long a small request is measured, alone and beside large bodies. */
interface BesideEffort {
  rounds: number;
  windowMs: number;
}

const SUITE = "beside";
const QUESTION: Cell = { suite: SUITE, payload: tiny, connections: 1 };
const BODIES: Cell = { suite: SUITE, payload: heavy, connections: 8 };
const MOST_ADDED_MS = 5;
const US_PER_MS = 1_000;

/** What large bodies on other connections add to the slowest small requests. Source: docs/performance.md#s3. */
export async function besideFigures(
  fleet: Fleet,
  arms: readonly Arm[],
  { rounds, windowMs }: BesideEffort,
): Promise<Figure[]> {
  const waits = new Map<Arm, { alone: number; beside: number }[]>(arms.map((arm) => [arm, []]));
  for (const arm of arms) await waitsOf(fleet, arm, windowMs);
  for (let round = 1; round <= rounds; round++)
    for (const arm of shuffled(arms, Math.random)) waits.get(arm)?.push(await waitsOf(fleet, arm, windowMs));
  return [...waits].flatMap(([{ name }, found]) => {
    const figure = (what: string, value: number, most: number | null): Figure => ({
      name: `p99 of a 10-byte question, ${name}: ${what}`,
      value,
      unit: "ms",
      goal: most === null ? null : atMost(most),
    });
    const added = median(found.map(({ alone, beside }) => beside - alone));
    const most = name === "tollgate" ? MOST_ADDED_MS : null;
    return [
      figure("alone", median(found.map(({ alone }) => alone)), null),
      figure(`added by ${BODIES.connections} connections that send bodies of 1 MB`, added, most),
    ];
  });
}

/** Units: milliseconds. */
async function waitsOf(fleet: Fleet, arm: Arm, windowMs: number): Promise<{ alone: number; beside: number }> {
  const alone = await load(fleet.rig, arm, QUESTION, windowMs);
  const { results } = await loadTogether(fleet.rig, arm, [QUESTION, BODIES], windowMs);
  const [beside] = results;
  if (beside === undefined) throw new Error("the question was not measured");
  return { alone: alone.p99Us / US_PER_MS, beside: beside.p99Us / US_PER_MS };
}
