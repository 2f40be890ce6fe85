import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { ErrorCode } from "@/lib/kernel/errors";
import type { Protocol } from "@/lib/protocols/protocol";

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The values that one settled generation adds to the metrics. */
export interface SettledSample {
  protocol: Protocol;
  model: string;
  status: string;
  latencyMs: number;
  ttftMs: number | null;
  promptTokens: number;
  completionTokens: number;
  costMicroCents: bigint;
}

/** The process's Prometheus metrics. Source: docs/contract.md#s9. */
export class Metrics {
  readonly registry = new Registry();
  readonly #replies = this.#counter("replies_total", "Replies by path protocol and status", [
    "protocol",
    "status",
  ]);
  readonly #requests = this.#counter("requests_total", "Settled generations", [
    "protocol",
    "model",
    "status",
  ]);
  readonly #tokens = this.#counter("tokens_total", "Metered tokens", ["model", "kind"]);
  readonly #cost = this.#counter("cost_cents_total", "Billed cents", ["model"]);
  readonly #refusals = this.#counter("unrecorded_refusals_total", "Refusals kept out of the log", ["reason"]);
  readonly #overrun = this.#counter("overrun_cents_total", "Cents charged beyond the hold", ["model"]);
  readonly #latency = this.#histogram("latency_seconds", "Whole request", ["protocol"]);
  readonly #ttft = this.#histogram("ttft_seconds", "Time to the first meaningful event", ["protocol"]);

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: "tollgate_" });
  }

  /** Counts a reply. */
  replied(call: { protocol: Protocol }, status: number): void {
    this.#replies.inc({ protocol: call.protocol, status });
  }

  /** Counts a refusal that is not in the request log: flood guard, overload, failed authentication. */
  refused(reason: ErrorCode | "flood" | "overload"): void {
    this.#refusals.inc({ reason });
  }

  /** Counts a settled generation. */
  settled(sample: SettledSample): void {
    const { protocol, model } = sample;
    this.#requests.inc({ protocol, model, status: sample.status });
    this.#latency.observe({ protocol }, sample.latencyMs / 1_000);
    if (sample.ttftMs !== null) this.#ttft.observe({ protocol }, sample.ttftMs / 1_000);
    this.#tokens.inc({ model, kind: "prompt" }, sample.promptTokens);
    this.#tokens.inc({ model, kind: "completion" }, sample.completionTokens);
    this.#cost.inc({ model }, Number(sample.costMicroCents) / 1_000_000);
  }

  /** Counts the cents that a cost exceeded its hold by. Source: docs/reliability.md#s2-4. */
  overran(model: string, microCents: bigint): void {
    this.#overrun.inc({ model }, Number(microCents) / 1_000_000);
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

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: `tollgate_${name}`, help, labelNames, registers: [this.registry] });
  }

  #histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({
      name: `tollgate_${name}`,
      help,
      labelNames,
      buckets: SECONDS,
      registers: [this.registry],
    });
  }
}

const SAMPLE_MS = 1_000;
const RESOLUTION_MS = 20;
const SLOW_MS = 200;
const SLOW_FOR_MS = 3_000;

/**
 * Detects an overloaded event loop. A second has about fifty samples, so its p99 is the one longest pause; a p90 above
 * 200 ms means that most of the second was lost. Source: docs/reliability.md#s2-11.
 */
export class EventLoopMonitor {
  #slowSinceMs: number | null = null;
  #overloaded = false;
  #delays: IntervalHistogram | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** True while the event loop's delay has been above 200 ms for three seconds. */
  get overloaded(): boolean {
    return this.#overloaded;
  }

  /** Starts a measurement every second. */
  start(): void {
    const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
    delays.enable();
    this.#delays = delays;
    let startMs = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      // The histogram counts the timer's own period too.
      this.record(delays.percentile(90) / 1e6 - RESOLUTION_MS, startMs, now);
      startMs = now;
      delays.reset();
    }, SAMPLE_MS);
    this.#timer.unref();
  }

  /** Stops measuring. */
  stop(): void {
    this.#delays?.disable();
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Records the delay of one sample period. Units: milliseconds. */
  record(delayMs: number, startMs: number, endMs: number): void {
    this.#slowSinceMs = delayMs > SLOW_MS ? (this.#slowSinceMs ?? startMs) : null;
    this.#overloaded = this.#slowSinceMs !== null && endMs - this.#slowSinceMs >= SLOW_FOR_MS;
  }
}
