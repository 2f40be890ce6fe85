import { expect, test } from "vitest";
import { partsOf } from "@/bench/profile/parts";

const BUNDLE = `import x from "undici";
// lib/billing/ledger.ts
function hold() {
}
// lib/runtime.ts
function now() {
}`;

/** A profile with one sample of each frame, of so many microseconds. */
function profileOf(frames: [functionName: string, url: string, lineNumber: number, us: number][]) {
  return {
    nodes: frames.map(([functionName, url, lineNumber], id) => ({
      id,
      callFrame: { functionName, url, lineNumber },
    })),
    samples: frames.map((_, id) => id),
    timeDeltas: frames.map(([, , , us]) => us),
  };
}

test("a profile's busy time is shared out by source folder, package and kind of native work", () => {
  const bundle = "file:///srv/app/dist/server.js";
  const parts = partsOf(
    profileOf([
      ["(idle)", "", -1, 1_000],
      ["hold", bundle, 2, 40],
      ["hold", bundle, 2, 10],
      ["now", bundle, 5, 5],
      ["dispatch", "file:///srv/app/node_modules/undici/lib/client.js", 9, 20],
      ["parse", "file:///srv/app/node_modules/@scope/name/index.js", 9, 4],
      ["writev", "", -1, 8],
      ["(garbage collector)", "", -1, 7],
      ["emit", "node:events", 3, 6],
    ]),
    BUNDLE,
  );
  expect(parts.map(({ part, share }) => [part, Math.round(share * 100)])).toEqual([
    ["ours: lib/billing", 50],
    ["undici", 20],
    ["writing to sockets", 8],
    ["garbage collection", 7],
    ["Node: HTTP, streams, timers", 6],
    ["ours: other", 5],
    ["@scope/name", 4],
  ]);
});
