import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from "prom-client";
import type { ErrorCode } from "@/lib/kernel/errors";
import type { RefusalName } from "@/lib/kernel/refusals";
import { promptTokens, type Usage } from "@/lib/kernel/usage";
import type { ClientProtocol } from "@/lib/protocols/protocol";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The values that one settled generation adds to the metrics. */
export interface SettledSample {
  protocol: ClientProtocol;
  model: string;
  status: string;
  latencyMs: number;
  ttftMs: number | null;
  usage: Usage;
  costMicroCents: bigint;
}

/** What metrics tell of a rule: never its name. */
export interface CountedBudget {
  scope: string;
  unit: string;
  mode: string;
}

/**
 * The process's Prometheus metrics. Requests add to plain sums, which a scrape turns into metrics.
 * Source: docs/contract.md#s9.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #replies = new PairTally();
  /** By model: protocol and status. */
  readonly #requests = new Map<string, PairTally>();
  readonly #tokens = new PairTally();
  readonly #costMicroCents = new Map<string, number>();
  readonly #latency = this.#durations("latency_seconds", "Whole request");
  readonly #ttft = this.#durations("ttft_seconds", "Time to the first meaningful event");
  readonly #refusals: Counter;
  readonly #unrecorded: Counter;
  readonly #overrun: Counter;
  readonly #budgetRefusals: Counter;
  readonly #budgetOverrun: Counter;
  readonly #unstored: Counter;
  readonly #clocks: Counter;
  readonly #evicted: Counter;
  readonly #socketRefusals: Counter;
  readonly #socketCloses: Counter;

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: "tollgate_" });
    this.#counter("replies_total", "Replies by path protocol and status", ["protocol", "status"], (counter) =>
      this.#replies.each((protocol, status, sum) => counter.inc({ protocol, status }, sum)),
    );
    this.#counter("requests_total", "Settled generations", ["protocol", "model", "status"], (counter) => {
      for (const [model, requests] of this.#requests)
        requests.each((protocol, status, sum) => counter.inc({ protocol, model, status }, sum));
    });
    this.#counter("tokens_total", "Metered tokens", ["model", "kind"], (counter) =>
      this.#tokens.each((model, kind, sum) => counter.inc({ model, kind }, sum)),
    );
    this.#counter("cost_cents_total", "Billed cents", ["model"], (counter) => {
      for (const [model, microCents] of this.#costMicroCents) counter.inc({ model }, microCents / 1_000_000);
    });
    this.#refusals = this.#counter("refusals_total", "Refusals by their reason", ["reason"]);
    this.#unrecorded = this.#counter("unrecorded_refusals_total", "Refusals kept out of the log", ["reason"]);
    this.#overrun = this.#counter("overrun_cents_total", "Cents charged beyond the hold", ["model"]);
    this.#budgetRefusals = this.#counter("budget_refusals_total", "Refusals by rules", [
      "scope",
      "unit",
      "mode",
    ]);
    this.#budgetOverrun = this.#counter(
      "budget_overrun_total",
      "What rules that refuse ended above their limit, in cents, tokens or requests",
      ["unit"],
    );
    this.#unstored = this.#counter(
      "responses_unstored_total",
      "Responses that were to be stored and were not",
      ["reason"],
    );
    this.#clocks = this.#counter(
      "clock_skews_total",
      "Signatures that were refused because this machine's clock is more than a minute off",
      [],
    );
    this.#evicted = this.#counter(
      "responses_evicted_total",
      "Stored responses that were deleted before their time, by the bound that they had to leave for",
      ["bound"],
    );
    this.#socketRefusals = this.#counter("websocket_refusals_total", "Refused WebSocket handshakes", [
      "status",
    ]);
    this.#socketCloses = this.#counter(
      "websocket_closes_total",
      "Closed WebSockets by the code of the close",
      ["code"],
    );
    this.registry.registerMetric(this.#latency.metric());
    this.registry.registerMetric(this.#ttft.metric());
  }

  /** Counts a reply. */
  replied(call: { protocol: ClientProtocol }, status: number): void {
    this.#replies.add(call.protocol, String(status));
  }

  /** Counts a refusal that is not in the request log: flood guard, overload, failed authentication. */
  refused(reason: ErrorCode | "flood" | "overload" | "bulk"): void {
    this.#unrecorded.inc({ reason });
  }

  /** Counts a refusal by its reason. Source: docs/contract.md#refusals. */
  refusedFor(reason: RefusalName): void {
    this.#refusals.inc({ reason });
  }

  /** Counts a signature that a node refused because of its time. */
  clockDiffered(): void {
    this.#clocks.inc();
  }

  /** Counts a settled generation. */
  settled(sample: SettledSample): void {
    const { protocol, model } = sample;
    let requests = this.#requests.get(model);
    if (requests === undefined) {
      requests = new PairTally();
      this.#requests.set(model, requests);
    }
    requests.add(protocol, sample.status);
    this.#latency.add(protocol, sample.latencyMs);
    if (sample.ttftMs !== null) this.#ttft.add(protocol, sample.ttftMs);
    this.#tokens.add(model, "prompt", promptTokens(sample.usage));
    this.#tokens.add(model, "completion", sample.usage.output);
    const microCents = this.#costMicroCents.get(model) ?? 0;
    this.#costMicroCents.set(model, microCents + Number(sample.costMicroCents));
  }

  /** Counts the cents that a cost exceeded its hold by. Source: docs/reliability.md#s2-4. */
  overran(model: string, microCents: bigint): void {
    this.#overrun.inc({ model }, Number(microCents) / 1_000_000);
  }

  /** Counts a refusal by a rule. Source: docs/budgets.md#known. */
  budgetRefused({ scope, unit, mode }: CountedBudget): void {
    this.#budgetRefusals.inc({ scope, unit, mode });
  }

  /** Counts what passed a rule that refuses. Units: micro-cents, tokens or requests. Source: docs/budgets.md#known. */
  budgetOverran({ unit }: Pick<CountedBudget, "unit">, amount: bigint): void {
    this.#budgetOverrun.inc({ unit }, unit === "money" ? Number(amount) / 1_000_000 : Number(amount));
  }

  /** Counts a response that a client asked to keep and that was not stored. Source: docs/responses.md#s4-1. */
  unstored(reason: string): void {
    this.#unstored.inc({ reason });
  }

  /** Counts stored responses that were deleted to make room for newer ones. Source: docs/responses.md#s4-3. */
  evicted(bound: "account" | "installation", count: number): void {
    this.#evicted.inc({ bound }, count);
  }

  /** Counts a refused handshake. Source: docs/websocket.md#handshake. */
  socketRefused(status: number): void {
    this.#socketRefusals.inc({ status });
  }

  /** Counts a closed socket; codes that only clients use count together. Source: docs/websocket.md#closes. */
  socketClosed(code: number): void {
    this.#socketCloses.inc({ code: code >= 1_000 && code <= 1_015 ? code : "other" });
  }

  /** Registers a gauge whose value `collect` sets at each scrape. */
  gauge(name: string, help: string, labelNames: string[], collect: (gauge: Gauge) => void): void {
    new Gauge({
      name: `tollgate_${name}`,
      help,
      labelNames,
      registers: [this.registry],
      collect() {
        collect(this);
      },
    });
  }

  /** All metrics in the Prometheus exposition format. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** `collect` sets the values at each scrape; without it they are counted as they happen. */
  #counter(name: string, help: string, labelNames: string[], collect?: (counter: Counter) => void): Counter {
    const counter = { name: `tollgate_${name}`, help, labelNames, registers: [this.registry] };
    if (collect === undefined) return new Counter(counter);
    return new Counter({
      ...counter,
      collect() {
        this.reset();
        collect(this);
      },
    });
  }

  #durations(name: string, help: string): DurationTally {
    return new DurationTally({ name: `tollgate_${name}`, help, label: "protocol", boundsSeconds: SECONDS });
  }
}

/** Sums by a pair of names, added to with two look-ups and without objects; metrics read them at each scrape. */
export class PairTally {
  readonly #sums = new Map<string, Map<string, number>>();

  /** Adds to the sum of a pair. */
  add(first: string, second: string, amount = 1): void {
    let sums = this.#sums.get(first);
    if (sums === undefined) {
      sums = new Map();
      this.#sums.set(first, sums);
    }
    sums.set(second, (sums.get(second) ?? 0) + amount);
  }

  /** Calls back with each pair and its sum. */
  each(visit: (first: string, second: string, sum: number) => void): void {
    for (const [first, sums] of this.#sums) for (const [second, sum] of sums) visit(first, second, sum);
  }
}

interface Durations {
  /** One count for each bound, and one beyond them. Not cumulative. */
  readonly counts: number[];
  sumSeconds: number;
}

/** Histograms of durations by one label, in the form that a scrape wants. */
export class DurationTally {
  readonly #name: string;
  readonly #help: string;
  readonly #label: string;
  readonly #boundsSeconds: readonly number[];
  readonly #byName = new Map<string, Durations>();

  constructor(options: { name: string; help: string; label: string; boundsSeconds: readonly number[] }) {
    this.#name = options.name;
    this.#help = options.help;
    this.#label = options.label;
    this.#boundsSeconds = options.boundsSeconds;
  }

  /** Adds a duration. */
  add(name: string, ms: number): void {
    let durations = this.#byName.get(name);
    if (durations === undefined) {
      durations = { counts: new Array<number>(this.#boundsSeconds.length + 1).fill(0), sumSeconds: 0 };
      this.#byName.set(name, durations);
    }
    const seconds = ms / 1_000;
    const found = this.#boundsSeconds.findIndex((bound) => seconds <= bound);
    const index = found === -1 ? this.#boundsSeconds.length : found;
    durations.counts[index] = (durations.counts[index] ?? 0) + 1;
    durations.sumSeconds += seconds;
  }

  /** The metric to register; of the library's interface, a scrape uses these members only. */
  metric(): Metric {
    const metric = {
      name: this.#name,
      help: this.#help,
      type: "histogram",
      get: async () => ({ name: this.#name, help: this.#help, type: "histogram", values: this.#values() }),
    };
    return metric as unknown as Metric;
  }

  #values() {
    const values: { metricName: string; labels: Record<string, string | number>; value: number }[] = [];
    for (const [name, { counts, sumSeconds }] of this.#byName) {
      const label = { [this.#label]: name };
      let total = 0;
      for (const [index, count] of counts.entries()) {
        total += count;
        const le = this.#boundsSeconds[index] ?? "+Inf";
        values.push({ metricName: `${this.#name}_bucket`, labels: { le, ...label }, value: total });
      }
      values.push({ metricName: `${this.#name}_sum`, labels: label, value: sumSeconds });
      values.push({ metricName: `${this.#name}_count`, labels: label, value: total });
    }
    return values;
  }
}
