import { describe, expect, test } from "vitest";
import { atMost } from "@/bench/figures/figure";
import { pagesTable } from "@/bench/log/report";
import type { Machine } from "@/bench/machine";
import type { Sample } from "@/bench/measure";
import { barChart } from "@/bench/report/chart";
import { fullReport } from "@/bench/report/full";
import { performanceSection, readmeParagraph, throughputBars } from "@/bench/report/last-run";
import { fillMarked } from "@/bench/report/marked";
import { isMet, missedBy, targets } from "@/bench/report/targets";
import { dropUnsteady, type Results, refusalToPublish } from "@/bench/results";

const machine: Machine = {
  processor: "Test & Sons",
  cores: 2,
  memoryGib: 8,
  system: "Linux",
  node: "v20",
  postgres: "PostgreSQL 15",
  load: "wrk 4",
  loadAverageAtStart: 0,
  pinned: false,
  commit: "abc",
  syncUs: 500,
};
const options = {
  quick: false,
  rounds: 1,
  seconds: 1,
  suites: null,
  arms: null,
  pin: false,
  built: true,
  soakMinutes: 0,
  base: null,
  output: null,
};

function sample(arm: string, connections: number, requests: number, p50Us: number): Sample {
  return {
    suite: "headline",
    payload: "S",
    connections,
    arm,
    round: 1,
    requests,
    activeMs: 1_000,
    p50Us,
    p99Us: p50Us * 3,
    cpuMs: requests * 0.07,
    mainThreadCpuMs: null,
    databaseCpuMs: null,
    residentBytes: null,
    childrenResidentBytes: null,
    childrenCpuMs: null,
    mockCpuMs: requests * 0.01,
    speed: { before: 100, after: 100 },
  };
}

const results: Results = {
  machine,
  options,
  samples: [
    sample("direct", 1, 8_000, 50),
    sample("raw", 1, 6_000, 150),
    sample("tollgate", 1, 900, 1_000),
    sample("lean", 32, 40_000, 800),
    sample("raw", 32, 29_000, 1_000),
    sample("tollgate", 32, 8_000, 4_000),
    sample("portkey", 32, 1_600, 20_000),
    sample("lean", 128, 40_000, 3_000),
    sample("raw", 128, 28_000, 4_000),
    sample("tollgate", 128, 11_500, 11_000),
    sample("portkey", 128, 1_400, 90_000),
  ],
  streams: [],
  dropped: { samples: [], streams: [] },
  figures: [{ name: "longest block", value: 30, unit: "ms", goal: atMost(20) }],
  counts: [],
  profiles: [
    { arm: "raw", connections: 32, mainThreadCpuMs: 0.1, parts: [{ part: "undici", share: 0.5 }] },
    {
      arm: "tollgate",
      connections: 32,
      mainThreadCpuMs: 0.2,
      parts: [
        { part: "ours: lib/billing", share: 0.4 },
        { part: "undici", share: 0.3 },
        { part: "dust", share: 0.001 },
      ],
    },
  ],
  failure: null,
};

describe("the targets", () => {
  const found = targets(results, []);
  const named = (what: RegExp) => {
    const target = found.find((one) => what.test(one.what));
    if (target === undefined) throw new Error(`no target is called ${what}`);
    return target;
  };

  test("compare in the right direction", () => {
    expect(named(/of portkey's, 32/)).toMatchObject({ target: 5, measured: 5 });
    expect(isMet(named(/of portkey's, 32/))).toBe(true);
    expect(isMet(named(/tollgate, of lean's, 128/))).toBe(false);
    expect(isMet(named(/processor time for a request, of lean's, 32/))).toBe(true);
    expect(isMet(named(/longest block/))).toBe(false);
    expect(missedBy(named(/longest block/))).toBe(1.5);
  });

  test("of latency allow for the disk's own sync, and take the load generator's own latency off", () => {
    expect(named(/1 connection, p50/)).toMatchObject({ target: 2, measured: 0.95 });
  });

  test("without a figure are left out", () => {
    expect(found.some(({ what }) => /embedded|gomodel|token|Redis|promises|log rows/.test(what))).toBe(false);
  });
});

test("the section of the last run has the machine, the chart, the arms and what is missed", () => {
  const text = performanceSection(results, [], "chart.svg");
  expect(text).toContain("Test & Sons, 2 cores");
  expect(text).toContain("](chart.svg)");
  expect(text).toContain("with 70.0 µs for a request; the mock upstream uses 10.0 µs");
  expect(text).toMatch(/\| tollgate: .*\| 8,000 \| 0\.20 .*\| 1\.00 .*\| 5\.00 .*\| 11,500 /);
  expect(text).toContain("missed by 1.50 x");
  expect(text).toMatch(/\d of \d+ targets are reached. The others:/);
  expect(text).not.toContain("| reached |");
});

test("the full report has every target and where the time goes", () => {
  const text = fullReport(results, []);
  expect(text).toContain("| reached |");
  expect(text).toContain("missed by 1.50 x");
  expect(text).toMatch(
    /\| ours: lib\/billing \| 0 \| 80 \|\n\| undici \| 50 \| 60 \|\n\| together, .*\| 100 \| 200 \|/,
  );
});

test("the README tells the rates and their ratios from the same run", () => {
  const text = readmeParagraph(results);
  expect(text).toContain(
    "8,000 to 12,000 requests a second\non 2 shared cores: 0.20 to 0.29 of the smallest",
  );
  expect(text).toContain("5.0 to 8.2 times Portkey's gateway");
});

test("pages have a line each, with their times at every size", () => {
  const size = { asked: [], plans: [], fillSeconds: 1, settledPerSecond: 1 };
  const at = (rows: number, medianMs: number) => ({
    ...size,
    rows,
    pages: [{ path: "/console", medianMs, slowestMs: 2 * medianMs }],
  });
  const text = pagesTable([at(1e5, 400), at(1e6, 450), { ...size, rows: 1e7, pages: null }]);
  expect(text).toMatch(/\| 1e5 rows \| 1e6 rows \|\n/);
  expect(text).toContain("| /console | 400 (800) | 450 (900) |");
  expect(pagesTable([])).toBe("");
});

test("the full report leaves out what was not measured", () => {
  const text = fullReport(results, []);
  expect(text).toContain("## Requests");
  expect(text).not.toContain("## Streams");
});

test("the chart says its figures to screen readers, and text cannot break out of it", () => {
  const chart = barChart('A <b> & "c"', "raw: 1.", throughputBars(results));
  expect(chart).toMatch(/<title id="title">A &lt;b&gt; &amp; &quot;c&quot;<\/title>/);
  expect(chart).toContain('<desc id="desc">raw: 1.</desc>');
  expect(chart.match(/<rect /g)).toHaveLength(8);
});

describe("text between markers", () => {
  const text = "a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n";

  test("is replaced, and the rest stays", () => {
    expect(fillMarked(text, "x", "new")).toBe("a\n<!-- x: begin -->\nnew\n<!-- x: end -->\nb\n");
    expect(fillMarked(fillMarked(text, "x", "one"), "x", "two")).toContain("\ntwo\n");
  });

  test("must be there", () => {
    expect(() => fillMarked(text, "y", "new")).toThrow(/markers/);
  });
});

describe("a run is published", () => {
  test("when it is whole", () => {
    expect(refusalToPublish({ failure: null, options })).toBeNull();
  });

  test("neither after a failure nor in parts", () => {
    expect(refusalToPublish({ failure: "the ledger differs\nby 1", options })).toMatch(
      /failed: the ledger differs$/,
    );
    expect(refusalToPublish({ failure: null, options: { ...options, quick: true } })).toMatch(/part/);
    expect(refusalToPublish({ failure: null, options: { ...options, suites: ["headline"] } })).toMatch(
      /part/,
    );
    expect(refusalToPublish({ failure: null, options: { ...options, arms: ["lean"] } })).toMatch(/part/);
  });
});

test("windows in which the machine changed its speed are set aside, each cell by itself", () => {
  const slow = { ...sample("lean", 32, 9_000, 100), speed: { before: 100, after: 60 } };
  const other = { ...sample("raw", 128, 9_000, 100), speed: { before: 60, after: 60 } };
  const run: Results = {
    ...results,
    samples: [sample("raw", 32, 9_000, 100), sample("tollgate", 32, 900, 100), slow, other],
    dropped: { samples: [], streams: [] },
  };
  dropUnsteady(run);
  expect(run.dropped.samples).toEqual([slow]);
  expect(run.samples).toHaveLength(3);
  expect(performanceSection(run, [], "chart.svg")).toContain("1 of 4 windows were dropped");
});
