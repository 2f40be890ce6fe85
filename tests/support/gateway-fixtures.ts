import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import type { NodeProtocol } from "@/lib/protocols/protocol";
import { type Simulator, startSimulator } from "@/tools/simulator/server";
import { discardServer, type ServerOptions, startServer, type TestServer, type TestUser } from "./server";
import { cheapestDatabase } from "./server-databases";

/** Cents per million tokens of every model of a test unless it says otherwise. */
export const PRICES = { input: 100, output: 300 };

/**
 * One node of a test's configuration; without a protocol it speaks chat, without an address it is the first upstream.
 */
export interface NodeSpec {
  name: string;
  protocol?: NodeProtocol;
  /** Root of the upstream; all but messages nodes get their version added. */
  url?: string;
  /** The whole base URL instead. */
  baseUrl?: string;
  provider?: string;
  timeouts?: Record<string, number>;
  apiKey?: string;
  credential?: Record<string, unknown>;
  maxConcurrency?: number;
  headers?: Record<string, string>;
  enabled?: boolean;
  proxy?: string;
}

/** One model of a test's configuration. `routes`: `[node, upstream model, priority]`. */
export interface ModelSpec {
  alias: string;
  routes: [node: string, model: string, priority?: number][];
  prices?: Record<string, unknown>;
  [field: string]: unknown;
}

/** The configuration of a gateway under test. */
export interface GatewaySpec {
  /** More nodes; a function when their addresses are known only once the tests run. */
  nodes?: NodeSpec[] | (() => NodeSpec[]);
  models: ModelSpec[];
  /** Default: one plan without limits. */
  plans?: Record<string, unknown>[];
  /** Default: PostgreSQL, which costs less than the embedded one, where it can be had. */
  database?: ServerOptions["database"];
  env?: Record<string, string>;
  script?: string;
  clockSpeed?: number;
}

/** A server with scripted upstreams, running from before the first test to after the last one. */
export class Gateway {
  #running: { server: TestServer; upstream: Simulator; second: Simulator } | null = null;
  #account: Promise<TestUser> | null = null;

  get server(): TestServer {
    return this.#parts.server;
  }

  /** Serves the nodes `chat`, `messages`, `responses` and `gemini`. */
  get upstream(): Simulator {
    return this.#parts.upstream;
  }

  /** Serves the nodes `chat-b` and `messages-b`. */
  get second(): Simulator {
    return this.#parts.second;
  }

  /** A new key of the one account of this gateway. */
  async key(fields: Record<string, unknown> = {}): Promise<TestUser> {
    this.#account ??= this.server.user();
    return this.server.key(await this.#account, fields);
  }

  get #parts() {
    if (this.#running === null) throw new Error("the gateway runs in tests only");
    return this.#running;
  }

  /** Starts everything. */
  async start(spec: GatewaySpec): Promise<void> {
    const upstream = await startSimulator({ port: 0 });
    const second = await startSimulator({ port: 0 });
    const refusing = `http://127.0.0.1:${await closedPort()}`;
    const given = typeof spec.nodes === "function" ? spec.nodes() : spec.nodes;
    const nodes: NodeSpec[] = [
      { name: "chat" },
      { name: "messages", protocol: "messages" },
      { name: "responses", protocol: "responses" },
      { name: "gemini", protocol: "gemini" },
      { name: "chat-b", url: second.url },
      { name: "messages-b", protocol: "messages", url: second.url },
      { name: "refusing", url: refusing },
      ...(given ?? []),
    ];
    const server = await startServer({
      database: spec.database ?? (await cheapestDatabase(spec.clockSpeed)),
      ...(spec.script === undefined ? {} : { script: spec.script }),
      ...(spec.clockSpeed === undefined ? {} : { clockSpeed: spec.clockSpeed }),
      env: { SIGNUP_QUOTA_CENTS: "1000000000", ...spec.env },
      config: configText(nodes, spec, upstream.url),
    });
    this.#running = { server, upstream, second };
  }

  /** Ends everything that was started. */
  async stop(): Promise<void> {
    if (this.#running === null) return;
    const { server, upstream, second } = this.#running;
    await discardServer(server);
    await Promise.all([upstream.close(), second.close()]);
  }
}

/**
 * A gateway for the tests of this file or suite. Nodes there always are: `chat`, `messages`, `responses`, `gemini`, `chat-b`, `messages-b`,
 * and `refusing`, whose port is closed.
 */
export function gatewayFor(spec: GatewaySpec): Gateway {
  const gateway = new Gateway();
  beforeAll(() => gateway.start(spec));
  afterAll(() => gateway.stop());
  return gateway;
}

const UNLIMITED = { id: 1, name: "Unlimited", qps: null, rpm: null, tpm: null, keyQuotaCents: 1_000_000_000 };

/** What the base URL of a node has behind its origin. */
const versionOf: Readonly<Record<NodeProtocol, string>> = {
  chat: "/v1",
  messages: "",
  responses: "/v1",
  gemini: "/v1beta",
};

/** JSON is YAML. */
function configText(nodes: NodeSpec[], spec: GatewaySpec, defaultUrl: string): string {
  const plans = spec.plans ?? [{ ...UNLIMITED, selfService: true }];
  return JSON.stringify({
    nodes: nodes.map(({ protocol = "chat", url = defaultUrl, ...rest }) => ({
      baseUrl: url + versionOf[protocol],
      ...rest,
      protocol,
    })),
    models: spec.models.map(({ routes, ...model }) => ({
      prices: PRICES,
      ...model,
      routes: routes.map(([node, upstreamModel, priority = 0]) => ({ node, model: upstreamModel, priority })),
    })),
    plans,
  });
}

/** A closed port. */
export function closedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}

/** A chat request. */
export function chatBody(model: string, fields: Record<string, unknown> = {}) {
  return { model, max_tokens: 100, messages: [{ role: "user", content: "Say hello." }], ...fields };
}

/** A messages request. It has the same fields, because the smallest requests of both protocols are alike. */
export function messagesBody(model: string, fields: Record<string, unknown> = {}) {
  return chatBody(model, fields);
}

/** The error of a refused call, as both SDKs read it. */
export interface ErrorBody {
  type: string;
  error: {
    type: string;
    message: string;
    code: string;
    param: string | null;
    details: { error_code: string; vendor_code?: string; reason?: string };
  };
  request_id: string;
}

/** One log entry with its details, as the account API shows it. */
export interface LogEntry {
  requestId: string;
  createdAt: string;
  tokenId: string;
  model: string;
  protocol: string;
  stream: boolean;
  status: string;
  httpStatus: number;
  errorCode: string | null;
  errorMessage: string | null;
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  usageSource: string;
  cost: string;
  hostedCalls: Record<string, number> | null;
  attemptCount: number;
  warnings: string[];
  clientRequestId: string | null;
  connection: { id: string; lane: string | null; turn: number } | null;
  attempts: {
    n: number;
    node: string;
    protocol: string;
    upstreamModel: string;
    result: string;
    upstreamStatus: number | null;
  }[];
  receipt: {
    total: string;
    held: string;
    billed: boolean;
    wouldHaveCost: string | null;
    lines: { kind: string; tokens: number }[];
  };
}

/** The money of one key. Units: cents. */
export interface KeyMoney {
  quota: number;
  usedQuota: number;
  held: number;
}

/** The used and held totals of a key. */
export async function keyMoney(server: TestServer, user: TestUser): Promise<KeyMoney> {
  return (await server.api<KeyMoney>("GET", `/api/user/tokens/${user.keyId}`, user.token)).body;
}

/** The log entry of a request of this user; it may be written a moment after the answer of an aborted call. */
export async function logEntry(server: TestServer, user: TestUser, requestId: string): Promise<LogEntry> {
  return eventually(async () => {
    const found = await server.api<LogEntry>("GET", `/api/user/logs/${requestId}`, user.token);
    return found.status === 200 ? found.body : null;
  });
}

/** The newest log entries of a user. */
export async function logEntries(server: TestServer, user: TestUser): Promise<LogEntry[]> {
  return (await server.api<{ data: LogEntry[] }>("GET", "/api/user/logs?pageSize=100", user.token)).body.data;
}

/** The result of a reconciliation. */
export interface Reconciliation {
  ok: boolean;
  heldMicroCents: string;
  openHolds: number;
  mismatches: unknown[];
}

/** Runs the gateway's reconciliation. */
export async function reconcile(server: TestServer): Promise<Reconciliation> {
  const token = await server.adminToken();
  return (await server.api<Reconciliation>("GET", "/api/admin/reconcile", token)).body;
}

const POLL_MS = 50;

/**
 * Polls until there is a result. Throws: after `withinMs` as polls count it; on a crowded machine, where each takes
 * longer, that is later.
 */
export async function eventually<T>(ask: () => Promise<T | null>, withinMs = 5_000): Promise<T> {
  for (let polls = 0; polls * POLL_MS <= withinMs; polls += 1) {
    const answer = await ask();
    if (answer !== null) return answer;
    await sleep(POLL_MS);
  }
  throw new Error(`nothing within ${withinMs} ms`);
}

/** The exact cost of some tokens. Units: cents per million tokens in, cents out, 6 decimals. */
export function costCents(counts: [tokens: number, price: number][]): number {
  const microCents = counts.reduce((sum, [tokens, price]) => sum + tokens * price, 0);
  return Math.ceil(microCents) / 1_000_000;
}

/** The request id of a gateway response. */
export function requestIdOf(response: Response): string {
  return response.headers.get("x-request-id") ?? "";
}

/** An unused name. */
export function fresh(prefix: string): string {
  return `${prefix}${randomBytes(5).toString("hex")}`;
}
