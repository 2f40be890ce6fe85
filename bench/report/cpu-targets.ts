import type { Sample } from "../measure";
import { cpuPerRequest, inRoundRatio, rowOf } from "./summary";
import type { Target } from "./targets";

/** The most processor time for a request of one arm in one cell, as a ratio to another arm's in the same rounds. */
interface CpuGoal {
  suite: string;
  payload: string;
  connections: number;
  arm: string;
  of: keyof typeof COMPARED;
  most: number;
}

/** What the report calls the arm that a request is compared with. */
const COMPARED = { lean: "lean's", tollgate: "one key's" } as const;

const GOALS: readonly CpuGoal[] = [
  { suite: "headline", payload: "S", connections: 128, arm: "tollgate", of: "lean", most: 2 },
  { suite: "headline", payload: "S", connections: 32, arm: "tollgate", of: "lean", most: 2.4 },
  { suite: "payloads", payload: "L", connections: 32, arm: "tollgate", of: "lean", most: 3 },
  { suite: "payloads", payload: "L", connections: 32, arm: "converted", of: "lean", most: 5 },
  { suite: "payloads", payload: "H", connections: 8, arm: "tollgate", of: "lean", most: 3 },
  { suite: "payloads", payload: "H", connections: 8, arm: "converted", of: "lean", most: 5.5 },
  { suite: "keys", payload: "S", connections: 128, arm: "keys-1k", of: "tollgate", most: 1.15 },
  { suite: "keys", payload: "S", connections: 128, arm: "keys-50k", of: "tollgate", most: 1.5 },
];

/** How the report names what sets a cell or an arm apart. */
const WORDS: Readonly<Record<string, string>> = {
  L: "100 KB (L)",
  H: "1 MB (H)",
  converted: "converted",
  "keys-1k": "1,000 keys",
  "keys-50k": "50,000 keys",
};

/** What a request may cost in processor time. Source: docs/performance.md#s3. */
export function cpuTargets(samples: readonly Sample[]): Target[] {
  return GOALS.flatMap(({ suite, payload, connections, arm, of, most }) => {
    const row = rowOf(samples, suite, arm, connections, payload);
    const found = row && inRoundRatio(samples, row, of, cpuPerRequest);
    if (!found) return [];
    const words = [payload, arm].flatMap((name) => WORDS[name] ?? []);
    const parts = [
      "processor time for a request",
      ...words,
      `of ${COMPARED[of]}`,
      `${connections} connections`,
    ];
    return [{ what: parts.join(", "), target: most, atLeast: false, unit: "x", measured: found.median }];
  });
}
