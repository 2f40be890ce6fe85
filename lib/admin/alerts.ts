import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "@/lib/db/database";
import { SECOND_MS } from "@/lib/kernel/durations";
import type { Log } from "@/lib/ops/log";
import { type CatalogModel, type CatalogSnapshot, DEFAULT_TIMEOUTS } from "@/lib/router/catalog";
import type { Health } from "@/lib/router/health";
import { type BillState, type NodeReport, nodeReport } from "@/lib/router/health-report";
import { type CallableNode, callNode } from "@/lib/upstream/call-node";
import type { Pools } from "@/lib/upstream/pools";
import { DialError } from "@/lib/upstream/upstream-answer";
import { type AlertContent, alertRequest, isAccepted, saidBy } from "./alert-receivers";
import { problemOfDial } from "./node-exchange";
import { readSettings } from "./settings";

/** The event that an alert reports. Source: docs/contract.md#alerts. */
export type AlertEvent =
  | "node.open"
  | "node.closed"
  | "node.unpaid"
  | "node.paid"
  | "model.down"
  | "model.up"
  | "test";

/** The beginning or end of something that needs an admin. */
export interface Alert {
  event: AlertEvent;
  node?: string;
  model?: string;
}

/** Why an alert did not arrive. */
export type AlertProblem =
  | "address"
  | "closed"
  | "private"
  | "certificate"
  | "timeout"
  | "unreachable"
  | "refused"
  | "rejected";

/** How the latest attempt to send an alert ended. */
export interface AlertResult {
  event: AlertEvent;
  at: string;
  ok: boolean;
  /** Null: no response. */
  status: number | null;
  problem: AlertProblem | null;
  /** The problem in words; null without one. */
  error: string | null;
  /** The message of a receiver that did not accept the alert; null: none. */
  said: string | null;
}

const words: Readonly<Record<AlertProblem, string>> = {
  address: "The host name of the alert URL is unknown.",
  closed: "Nothing listens at the host and port of the alert URL.",
  private: "The alert URL has a private address, which this server does not call.",
  certificate: "The TLS certificate of the host is not valid.",
  timeout: "The host did not answer within 5 s.",
  unreachable: "The host cannot be reached.",
  refused: "The host answered with a status that is not 2xx.",
  rejected: "The receiver answered that it did not take the message.",
};

/** The present state of a node, its bill or a model; `unclear`: not known, e.g. while a node waits for a rate limit. */
interface Subject {
  key: string;
  state: "up" | "down" | "unclear";
  down: Alert;
  up: Alert;
}

interface LastAlert {
  down: boolean;
  /** It was down when first checked: neither that nor the end of it is reported. */
  silent: boolean;
  atMs: number;
  upSinceMs: number | null;
}

/** Each subject is reported at most this often. */
const PAUSE_MS = 60 * SECOND_MS;
/** An end is reported after this time: a cool-down that is over does not prove that the next call will succeed. */
const END_HOLDS_MS = 30 * SECOND_MS;

/** Turns states into alerts: one for each change, none for states from before the first check. */
export class AlertStates {
  readonly #told = new Map<string, LastAlert>();

  /** The changes to report now. Units: monotonic milliseconds. */
  changes(nowMs: number, subjects: readonly Subject[]): Alert[] {
    const keys = new Set(subjects.map(({ key }) => key));
    for (const key of this.#told.keys()) if (!keys.has(key)) this.#told.delete(key);
    return subjects.flatMap((subject) => this.#changeOf(nowMs, subject) ?? []);
  }

  #changeOf(nowMs: number, { key, state, down, up }: Subject): Alert | null {
    const told = this.#told.get(key);
    if (told === undefined) {
      const isDown = state === "down";
      this.#told.set(key, { down: isDown, silent: isDown, atMs: -PAUSE_MS, upSinceMs: null });
      return null;
    }
    if (state === "unclear") return null;
    if (state === "down") told.upSinceMs = null;
    else told.upSinceMs ??= nowMs;
    if (told.down === (state === "down") || nowMs - told.atMs < PAUSE_MS) return null;
    if (told.upSinceMs !== null && nowMs - told.upSinceMs < END_HOLDS_MS) return null;
    const { silent } = told;
    Object.assign(told, { down: state === "down", silent: false, atMs: silent ? told.atMs : nowMs });
    if (silent) return null;
    return state === "down" ? down : up;
  }
}

const billStateAs: Readonly<Record<BillState, Subject["state"]>> = {
  paid: "up",
  unpaid: "down",
  unproven: "unclear",
};

/** The state of each enabled node, of its bill, and of each offered model. */
export function alertSubjects({ nodes, names }: CatalogSnapshot, health: Health): Subject[] {
  const reports = new Map<string, NodeReport>();
  const subjects: Subject[] = [];
  for (const node of nodes.values()) {
    if (!node.enabled) continue;
    const report = nodeReport(health, node);
    reports.set(node.id, report);
    subjects.push({
      key: `node ${node.id}`,
      state: report.cause === "billing" ? "unclear" : stateOf(report),
      down: { event: "node.open", node: node.name },
      up: { event: "node.closed", node: node.name },
    });
    subjects.push({
      key: `bill of node ${node.id}`,
      state: billStateAs[report.bill],
      down: { event: "node.unpaid", node: node.name },
      up: { event: "node.paid", node: node.name },
    });
  }
  const models = new Set([...names.values()].filter((model) => model !== null));
  for (const model of models)
    subjects.push({
      key: `model ${model.id}`,
      state: stateOfModel(model, reports),
      down: { event: "model.down", model: model.alias },
      up: { event: "model.up", model: model.alias },
    });
  return subjects;
}

function stateOf({ state, cause }: Pick<NodeReport, "state" | "cause">): Subject["state"] {
  if (state === "cooling" && cause === "limited") return "unclear";
  return state === "healthy" || state === "degraded" ? "up" : "down";
}

/** Computed as in the list of models: a route is healthy when its node and its upstream model are. */
function stateOfModel({ routes }: CatalogModel, reports: ReadonlyMap<string, NodeReport>): Subject["state"] {
  const states = routes.map(({ nodeId, upstreamModel }) => {
    const report = reports.get(nodeId);
    if (report === undefined) return "down";
    const ofNode = stateOf(report);
    if (ofNode !== "up") return ofNode;
    const pair = report.models.find((one) => one.upstreamModel === upstreamModel);
    return pair === undefined ? "up" : stateOf(pair);
  });
  return states.find((state) => state === "up") ?? states.find((state) => state === "unclear") ?? "down";
}

/** The content of an alert, as a sentence and as members. */
function contentOf({ event, node, model }: Alert, at: string, gateway: string): AlertContent {
  const sentences: Record<AlertEvent, string> = {
    "node.open": `Node "${node}" of ${gateway} gets no more requests, because calls to it fail.`,
    "node.unpaid": `Node "${node}" of ${gateway} gets no more requests, because your account at its provider cannot pay: add credit or raise its limit, then reset the node.`,
    "node.paid": `Node "${node}" of ${gateway} gets requests again: your account at its provider can pay.`,
    "node.closed": `Node "${node}" of ${gateway} gets requests again.`,
    "model.down": `Model "${model}" of ${gateway} has no healthy node.`,
    "model.up": `Model "${model}" of ${gateway} has a healthy node again.`,
    test: `This is a test: alerts of ${gateway} arrive here.`,
  };
  return {
    text: sentences[event],
    facts: { event, ...(node && { node }), ...(model && { model }), at, gateway },
  };
}

/** The parts of the process that alerts need. */
export interface AlertParts {
  db: Database;
  catalog: { readonly current: CatalogSnapshot };
  health: Health;
  pools: Pools;
  log: Pick<Log, "warn" | "error">;
  settings: { publicUrl: string; allowPrivateUpstreams: boolean };
  date: () => Date;
  /** Whether this process, of all that run, sends the alerts. */
  isTeller: () => Promise<boolean>;
  /** The pauses before the second and the third try. Units: milliseconds. */
  pausesMs?: readonly number[];
}

const PAUSES_MS = [2 * SECOND_MS, 10 * SECOND_MS];
const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_ANSWER_BYTES = 1024 * 1024;
const MAX_WAITING = 100;

/** Posts alerts to the address that an admin has set, without delaying requests. Source: docs/contract.md#alerts. */
export class Alerts {
  readonly #parts: AlertParts;
  readonly #states = new AlertStates();
  readonly #stopping = new AbortController();
  #sending: Promise<void> = Promise.resolve();
  #waiting = 0;
  /** The latest result of this process. */
  last: AlertResult | null = null;

  constructor(parts: AlertParts) {
    this.#parts = parts;
  }

  /** Compares the present states with the reported ones. Resolves when new alerts were sent or given up. */
  watch(): Promise<void> {
    const { catalog, health, log } = this.#parts;
    const changes = this.#states.changes(health.now(), alertSubjects(catalog.current, health));
    if (changes.length === 0) return Promise.resolve();
    if (this.#waiting + changes.length > MAX_WAITING) {
      log.warn({ count: changes.length }, "alerts were not sent, because too many are waiting");
      return Promise.resolve();
    }
    this.#waiting += changes.length;
    this.#sending = this.#sending
      .then(() => this.#sendAll(changes))
      .catch((error: unknown) => log.error({ err: error }, "alerts could not be sent"))
      .finally(() => {
        this.#waiting -= changes.length;
      });
    return this.#sending;
  }

  /** Sends a test, once. */
  sendTest(url: string): Promise<AlertResult> {
    return this.#post(url, { event: "test" });
  }

  /** Gives up unsent alerts. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#sending;
  }

  async #sendAll(alerts: readonly Alert[]): Promise<void> {
    const { db, isTeller } = this.#parts;
    const { alertUrl } = await readSettings(db);
    if (alertUrl === null || !(await isTeller())) return;
    for (const alert of alerts) await this.#send(alertUrl, alert);
  }

  async #send(url: string, alert: Alert): Promise<void> {
    const { log, pausesMs = PAUSES_MS } = this.#parts;
    for (const pauseMs of [...pausesMs, null]) {
      if (this.#stopping.signal.aborted) return;
      const { ok, status, problem, said } = await this.#post(url, alert);
      if (ok) return;
      if (pauseMs === null) log.warn({ ...alert, status, problem, said }, "an alert did not arrive");
      else await sleep(pauseMs, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {});
    }
  }

  async #post(url: string, alert: Alert): Promise<AlertResult> {
    const { pools, settings, date } = this.#parts;
    const now = date();
    const at = now.toISOString();
    const sent = alertRequest(url, contentOf(alert, at, settings.publicUrl), now.getTime());
    const target = targetOf(sent.url, !settings.allowPrivateUpstreams);
    const result = { event: alert.event, at };
    try {
      const answer = await callNode(pools, target, {
        path: new URL(url).pathname.endsWith("/") ? "/" : "",
        body: sent.body,
        headers: {},
        stream: false,
        signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headersWithinMs: TIMEOUT_MS,
      });
      const { status } = answer;
      const text = await answer.text(MAX_ANSWER_BYTES);
      const ok = isAccepted(url, { status, text });
      const problem = status >= 200 && status < 300 ? "rejected" : "refused";
      const said = ok ? null : saidBy(url, text);
      this.last = { ...result, ok, status, ...problemAs(ok ? null : problem), said };
    } catch (failure) {
      if (!(failure instanceof DialError)) throw failure;
      const found = problemOfDial(failure, pools.outboundProxy.for(url) !== null);
      const problem = found in words ? (found as AlertProblem) : "unreachable"; // `words` has every problem
      this.last = { ...result, ok: false, status: null, ...problemAs(problem), said: null };
    } finally {
      pools.forget(target.id);
    }
    return this.last;
  }
}

function problemAs(problem: AlertProblem | null): Pick<AlertResult, "problem" | "error"> {
  return { problem, error: problem === null ? null : words[problem] };
}

/** The alert URL as a node to call, under the rules for nodes. */
function targetOf(url: string, guarded: boolean): CallableNode {
  return {
    id: `alert ${randomUUID()}`,
    protocol: "chat",
    provider: null,
    baseUrl: url,
    headers: {},
    proxy: null,
    ca: null,
    timeouts: { ...DEFAULT_TIMEOUTS, responseMs: TIMEOUT_MS },
    apiKey: null,
    access: null,
    credentialHeader: "authorization",
    guarded,
    direct: false,
  };
}
