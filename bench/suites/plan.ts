import { heavy, huge, large, medium, small } from "../payloads";
import type { Suite } from "./suite";

/** A quick run: a few minutes. */
export const quickSuites: readonly Suite[] = [
  {
    name: "headline",
    arms: ["lean", "raw", "tollgate", "converted"],
    seldom: [],
    cells: [
      [small, 32],
      [small, 128],
    ],
  },
];

/** Some forty minutes, with the streams, the figures and the overload. Source: docs/performance.md#s4. */
export const fullSuites: readonly Suite[] = [
  {
    name: "headline",
    arms: ["direct", "lean", "raw", "tollgate", "converted"],
    seldom: ["embedded", "portkey", "gomodel"],
    cells: [
      [small, 1],
      [small, 32],
      [small, 128],
    ],
  },
  {
    name: "payloads",
    arms: ["lean", "tollgate", "converted"],
    seldom: [],
    cells: [
      [medium, 32],
      [large, 32],
      [heavy, 8],
      [huge, 8],
    ],
  },
  {
    name: "keys",
    arms: ["lean", "tollgate", "keys-1k", "keys-50k"],
    seldom: [],
    cells: [
      [small, 32],
      [small, 128],
    ],
  },
  {
    name: "budgets",
    arms: ["tollgate", "accounts", "rules-own", "rules-shared", "accounts-x3", "rules-shared-x3"],
    seldom: [],
    cells: [
      [small, 32],
      [small, 128],
    ],
  },
  {
    name: "ladder",
    arms: ["lean", "tollgate", "redis"],
    seldom: ["passthrough", "key", "limits", "next"],
    cells: [
      [small, 32],
      [small, 128],
    ],
  },
];
