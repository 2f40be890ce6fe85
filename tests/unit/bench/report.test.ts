import { describe, expect, test } from "vitest";
import { atMost } from "@/bench/figures/figure";
import { pagesTable } from "@/bench/log/report";
import type { Machine } from "@/bench/machine";
import type { Sample } from "@/bench/measure";
import { barChart } from "@/bench/report/chart";
import { fullReport } from "@/bench/report/full";
import { performanceSection, readmeParagraph, throughputBars } from "@/bench/report/last-run";
import { fillMarked } from "@/bench/report/marked";
import { isMet, missedBy, type Target, targets } from "@/bench/report/targets";
import { dropUnsteady, type Results, refusalToPublish } from "@/bench/results";
import type { StreamSample } from "@/bench/suites/streams";

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

  test("of latency take the load generator's own latency off", () => {
    expect(named(/1 connection, p50/)).toMatchObject({ target: 1.5, measured: 0.95 });
    expect(named(/1 connection, p99/)).toMatchObject({ target: 4, measured: 2.85 });
  });

  test("without a figure are left out", () => {
    const absent = /embedded|gomodel|token|Redis|promises|log rows|KB|MB|keys/;
    expect(found.some(({ what }) => absent.test(what))).toBe(false);
  });
});

describe("the targets of processor time", () => {
  const of = (suite: string, payload: string, arm: string, connections: number, cpuMs: number): Sample => {
    const one = sample(arm, connections, 1_000, 100);
    return { ...one, suite, payload, cpuMs };
  };

  const rounded = ({ what, target, measured }: Target) => [what, target, Number(measured.toFixed(6))];

  test("of agents' turns are ratios to the bare proxy under the same bodies", () => {
    const found = targets(
      {
        ...results,
        samples: [
          of("payloads", "L", "lean", 32, 100),
          of("payloads", "L", "tollgate", 32, 250),
          of("payloads", "L", "converted", 32, 600),
          of("payloads", "H", "lean", 8, 1_000),
          of("payloads", "H", "tollgate", 8, 3_500),
          of("payloads", "H", "converted", 8, 5_000),
        ],
        figures: [],
      },
      [],
    );
    expect(found.map(rounded)).toEqual([
      ["processor time for a request, 100 KB (L), of lean's, 32 connections", 3, 2.5],
      ["processor time for a request, 100 KB (L), converted, of lean's, 32 connections", 5, 6],
      ["processor time for a request, 1 MB (H), of lean's, 8 connections", 3, 3.5],
      ["processor time for a request, 1 MB (H), converted, of lean's, 8 connections", 5.5, 5],
    ]);
  });

  test("of many keys are ratios to one key in the same suite", () => {
    const samples = [
      of("headline", "S", "tollgate", 128, 10),
      of("keys", "S", "tollgate", 128, 100),
      of("keys", "S", "keys-1k", 128, 110),
      of("keys", "S", "keys-50k", 128, 200),
    ];
    const found = targets({ ...results, samples, figures: [] }, []);
    expect(found.map(rounded)).toEqual([
      ["processor time for a request, 1,000 keys, of one key's, 128 connections", 1.15, 1.1],
      ["processor time for a request, 50,000 keys, of one key's, 128 connections", 1.5, 2],
    ]);
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

test("the README tells the ratio to GoModel with those of other machines", () => {
  const samples = [
    ...results.samples,
    sample("gomodel", 32, 6_400, 5_000),
    sample("gomodel", 128, 8_000, 9_000),
  ];
  const text = readmeParagraph({ ...results, samples });
  expect(text).toContain(
    "\n0.7 to 1.4 times GoModel across machines and mock upstreams (1.3 to 1.4 here), which writes usage later",
  );
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

test("the full report has suites of requests and sessions beside their bases", () => {
  const session = (arm: string, cpuMs: number, seconds: number): StreamSample => ({
    payload: "session",
    streams: 8,
    arm,
    round: 1,
    completed: 480,
    failed: 0,
    failure: "",
    chunks: 11_520,
    ttftP50Us: 1_000,
    ttftP99Us: 2_000,
    delayP50Us: 100,
    delayP99Us: 200,
    turns: 16,
    turnP50Us: seconds * 1e6,
    cpuMs,
    residentBytes: null,
    speed: { before: 1, after: 1 },
  });
  const keys = (arm: string, cpuMs: number): Sample => {
    const one = sample(arm, 128, 1_000, 100);
    return { ...one, suite: "keys", cpuMs };
  };
  const text = fullReport(
    {
      ...results,
      samples: [keys("lean", 40), keys("tollgate", 100), keys("keys-50k", 250)],
      streams: [session("raw", 800, 1), session("tollgate", 2_000, 1.25)],
    },
    [],
  );
  expect(text).toMatch(/\| keys \| S \| 128 \| keys-50k \| .*\| 6\.25 \(.*\| 2\.50 \(/);
  expect(text).toMatch(/## Sessions of agents\n/);
  expect(text).toMatch(/\| tollgate \| 8 \| 125 \| 2\.50 \(.*\| 1\.25 \| 1\.25 \(/);
});

test("the full report leaves out what was not measured", () => {
  const text = fullReport(results, []);
  expect(text).toContain("## Requests");
  expect(text).not.toContain("## Sessions");
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
