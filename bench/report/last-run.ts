import { type ArmName, FEATURES } from "../fleet";
import type { SizeResult } from "../log/run-size";
import type { Results } from "../results";
import type { Estimate } from "../statistics";
import type { BarGroup } from "./chart";
import { cpuPerRequest, inRoundDifference, inRoundRatio, rowOf } from "./summary";
import { fixed } from "./table";
import { isMet, missedBy, type Target, targets } from "./targets";

const US_PER_MS = 1_000;
const MS_PER_SECOND = 1_000;
const OURS = new Set<string>(["tollgate", "converted", "embedded"]);
const ORDER: readonly ArmName[] = ["lean", "raw", "gomodel", "tollgate", "converted", "embedded", "portkey"];

/** The section of the last full run in docs/performance.md: machine, compared gateways and what is missed. */
export function performanceSection(results: Results, log: readonly SizeResult[], chart: string): string {
  const found = targets(results, log);
  return [
    machineSentence(results),
    "",
    `![Requests per second of Tollgate with everything on, of a bare proxy and of Portkey's gateway](${chart})`,
    "",
    ...headlineTable(results),
    "",
    ...missedTable(found),
  ].join("\n");
}

/** What the product is compared with in words. `elsewhere`: ratios that were measured on other machines. */
const PEERS: readonly { arm: ArmName; name: string; what: string; elsewhere: readonly number[] }[] = [
  {
    arm: "gomodel",
    name: "GoModel",
    what: "which writes usage later and holds nothing",
    elsewhere: [0.69, 1.01],
  },
  { arm: "portkey", name: "Portkey's gateway", what: "which checks no key and bills nothing", elsewhere: [] },
];

/** The paragraph of the README. Throws: without the headline of the product. */
export function readmeParagraph(results: Results): string {
  const { samples, machine } = results;
  const found = [32, 128].flatMap((connections) => rowOf(samples, "headline", "tollgate", connections) ?? []);
  if (found.length === 0) throw new Error("the run has no headline of the product");
  const ratios = (base: string) => found.flatMap((row) => inRoundRatio(samples, row, base)?.median ?? []);
  const rates = range(
    found.map(({ perSecond }) => Number(perSecond.toPrecision(2))),
    (value) => value.toLocaleString("en-US"),
  );
  const peers = PEERS.flatMap(({ arm, name, what, elsewhere }) => {
    const here = ratios(arm);
    if (here.length === 0) return [];
    const times = range(here, twoDigits);
    if (elsewhere.length === 0) return [`,\n${times} times ${name}, ${what}`];
    const all = range([...here, ...elsewhere], (value) => value.toFixed(1));
    return [`,\n${all} times ${name} across machines and mock upstreams (${times} here), ${what}`];
  });
  return [
    `With everything on (key, limits, hold, settlement and log row committed before the answer) one process serves about ${rates} requests a second`,
    `on ${machine.cores} shared cores: ${range(ratios("lean"), twoDigits)} of the smallest possible proxy on the same machine${peers.join("")}.`,
    "After every load the sum of the ledger must equal what the mock upstream has counted, to the micro-cent.",
  ].join("\n");
}

function twoDigits(value: number): string {
  return value.toPrecision(2);
}

function range(values: readonly number[], text: (value: number) => string): string {
  const ends = [...new Set([Math.min(...values), Math.max(...values)].map(text))];
  return values.length === 0 ? "–" : ends.join(" to ");
}

/** The bars of the chart: throughput at 32 and 128 connections. */
export function throughputBars(results: Results): BarGroup[] {
  return [32, 128].map((connections) => ({
    title: `Requests per second, ${connections} connections, payload S`,
    bars: ORDER.flatMap((arm) => {
      const row = rowOf(results.samples, "headline", arm, connections);
      return row === null
        ? []
        : [{ name: arm, note: FEATURES[arm], value: row.perSecond, ours: OURS.has(arm) }];
    }),
  }));
}

/** On what, with what and how often; one line each. */
export function machineSentence({ machine, options, failure, samples, streams, dropped }: Results): string {
  const early = failure === null ? "" : `\nThe run ended before its last figures: ${failure.split("\n")[0]}.`;
  const lost = dropped.samples.length + dropped.streams.length;
  const windows = samples.length + streams.length + lost;
  const pinned = machine.pinned ? "the gateway on one core, everything else on the others; " : "";
  return (
    `${machine.processor}, ${machine.cores} cores, ${machine.memoryGib} GiB, ${machine.system}, Node ${machine.node}, ` +
    `${machine.postgres} with fsync on (${(machine.syncUs / US_PER_MS).toFixed(2)} ms a page), load by ${machine.load};\n${pinned}${options.rounds} rounds of ${options.seconds} s ` +
    `for each arm in random order, commit ${machine.commit}.\nLoad, mock upstream, database and gateway share these cores. ` +
    "Payload S is 0.3 KB in and 1 KB out.\nMedians; ratios are taken within a round, with their 95 % interval.\n" +
    `${lost} of ${windows} windows were dropped, because the machine's speed was more than 15 % off that of their round.` +
    mockSentence(samples) +
    early
  );
}

/** Whether the mock upstream is the limit of the fastest arm: then lean's core is not busy. */
function mockSentence(samples: Results["samples"]): string {
  const lean = rowOf(samples, "headline", "lean", 128);
  if (lean === null || lean.cpuMs === null || lean.mockCpuMs === null) return "";
  const busy = Math.round((lean.cpuMs * lean.perSecond * 100) / MS_PER_SECOND);
  const [own, mock] = [lean.cpuMs, lean.mockCpuMs].map((ms) => (ms * US_PER_MS).toFixed(1));
  return `\nAt 128 connections lean keeps its core ${busy} % busy, with ${own} µs for a request; the mock upstream uses ${mock} µs of its own core.`;
}

function headlineTable(results: Results): string[] {
  const lines = ORDER.flatMap((arm) => {
    const [one, some, many] = [1, 32, 128].map((connections) =>
      rowOf(results.samples, "headline", arm, connections),
    );
    if (!some || !many) return [];
    const { samples } = results;
    const added = one ? inRoundDifference(samples, one, "direct", ({ p50Us }) => p50Us / 1_000) : null;
    const cells = [
      `${arm}: ${FEATURES[arm]}`,
      ...[some, many].flatMap((row) => [
        Math.round(row.perSecond).toLocaleString("en-US"),
        ratio(inRoundRatio(samples, row, "lean")),
        ratio(inRoundRatio(samples, row, "lean", cpuPerRequest)),
        ratio(inRoundRatio(samples, row, "portkey")),
      ]),
      added === null ? "–" : fixed(added.median, 2),
      fixed(some.cpuMs, 3),
    ];
    return [`| ${cells.join(" | ")} |`];
  });
  return [
    "| Arm | req/s at 32 | of lean | CPU of lean | of Portkey | req/s at 128 | of lean | CPU of lean | of Portkey | p50 added at 1, ms | CPU ms/request at 32 |",
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ...lines,
  ];
}

/** The targets that were missed, after a sentence of how many were reached. */
function missedTable(found: readonly Target[]): string[] {
  const missed = found.filter((target) => !isMet(target));
  const sentence = `${found.length - missed.length} of ${found.length} targets are reached.`;
  return missed.length === 0 ? [sentence] : [`${sentence} The others:`, "", ...targetTable(missed)];
}

/** Targets with what was measured, as one Markdown table. */
export function targetTable(found: readonly Target[]): string[] {
  const line = (target: Target) => {
    const met = isMet(target) ? "reached" : `missed by ${missedBy(target).toFixed(2)} x`;
    const goal = `${target.atLeast ? "≥" : "≤"} ${short(target.target)} ${target.unit}`.trimEnd();
    return `| ${target.what} | ${goal} | ${`${short(target.measured)} ${target.unit}`.trimEnd()} | ${met} |`;
  };
  return ["| What | Target | Measured | |", "|---|--:|--:|---|", ...found.map(line)];
}

function ratio(found: Estimate | null): string {
  if (found === null) return "–";
  return `${found.median.toFixed(2)} (${found.low.toFixed(2)}–${found.high.toFixed(2)})`;
}

function short(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}
