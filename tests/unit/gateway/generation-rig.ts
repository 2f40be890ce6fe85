import { EventEmitter } from "node:events";
import type { Dispatcher } from "undici";
import { Balances } from "@/lib/accounts/gateway-key";
import { Drain } from "@/lib/admission/drain";
import { MemoryLimiter } from "@/lib/admission/memory";
import type { Settlement } from "@/lib/billing/settlement";
import { attemptNodes } from "@/lib/gateway/attempt";
import { deliver } from "@/lib/gateway/deliver";
import type { GatewayRequest } from "@/lib/gateway/gateway-request";
import type { GenerationContext } from "@/lib/gateway/generation-context";
import { planAttempts } from "@/lib/gateway/plan";
import { RequestLogBuilder } from "@/lib/gateway/request-log";
import { type Runtime, setRuntime } from "@/lib/gateway/runtime";
import { MAX_DISCONNECT_DRAINS, settleFailed } from "@/lib/gateway/settle";
import { Semaphore } from "@/lib/kernel/concurrency";
import type { JsonObject } from "@/lib/kernel/json";
import type { Compatibility } from "@/lib/protocols/generation/problems";
import type { Protocol } from "@/lib/protocols/protocol";
import { buildSnapshot, type CatalogModelDraft } from "@/lib/router/catalog";
import { Health } from "@/lib/router/health";
import { StickyNodes } from "@/lib/router/order";
import { Cancellation, type UpstreamAnswer } from "@/lib/upstream/upstream-answer";
import { makeModel, makeNode, makeRoute } from "../router/factories";

export const RESERVED_TOKENS = 100_000;
export const PROMPT_TOKENS = 20;
const MONEY = { quotaMicroCents: 1_000_000_000n, usedMicroCents: 0n, heldMicroCents: 0n };
const LIMITS = { qps: null, rpm: null, tpm: 100_000_000 };
const KEY = {
  keyId: "key-1",
  userId: "user-1",
  name: "key",
  keyPrefix: "tgw-x",
  status: "active",
  expiresAtMs: null,
  models: null,
  planId: 1,
  planName: "Open",
  limits: LIMITS,
  userStatus: "active",
  userRole: "user",
  balance: { ...MONEY, account: MONEY },
} as const;

/** The stages of a generation from its plan to its settlement, with a node that a test writes frame by frame. */
export class GenerationRig {
  readonly settlements: Settlement[] = [];
  readonly limiter = new MemoryLimiter();
  readonly drain = new Drain();
  readonly health = new Health({ now: () => performance.now(), random: () => 0 });
  #dialled = new EventEmitter();

  constructor(
    nodes: readonly Protocol[],
    model: Partial<CatalogModelDraft> = {},
    private readonly compatibility: Compatibility = "standard",
  ) {
    const snapshot = buildSnapshot({
      version: "1",
      nodes: nodes.map((protocol) => makeNode(protocol, { protocol })),
      models: [makeModel("alias", { routes: nodes.map((node) => makeRoute(node)), ...model })],
      plans: [],
      nextPriceAt: null,
    });
    this.health.applySnapshot(snapshot);
    const parts = {
      settings: { compatibility, allowPrivateUpstreams: true },
      secrets: {},
      provenanceKey: "provenance",
      clock: { nowMs: () => performance.now(), date: () => new Date() },
      random: () => 0,
      log: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
      metrics: { settled: () => {}, refused: () => {} },
      drain: this.drain,
      disconnectDrains: new Semaphore(MAX_DISCONNECT_DRAINS),
      catalog: { current: snapshot },
      limiter: this.limiter,
      balances: new Balances(),
      ledger: { settle: async (settlement: Settlement) => void this.settlements.push(settlement) },
      health: this.health,
      sticky: new StickyNodes(() => performance.now()),
      pools: {
        outboundProxy: null,
        get: () => ({ dispatch: (_call: unknown, answer: UpstreamAnswer) => this.#dial(answer) }),
      },
      tokens: { count: async (text: string) => Math.ceil(text.length / 4) },
    };
    setRuntime(parts as unknown as Runtime); // what else a runtime has, these stages do not use
    this.#model = snapshot.models.get("alias") ?? null;
  }

  readonly #model;

  /** Begins a generation; resolves when its node has been called. */
  async begin(client: Protocol, fields: JsonObject = {}): Promise<Generation> {
    const body: JsonObject = {
      model: "alias",
      max_tokens: 1_000,
      stream: true,
      messages: [{ role: "user", content: "Say hello." }],
      ...fields,
    };
    const call = callOf(client);
    const run = this.run(call, body);
    const admitted = await this.limiter.admit({ keyId: KEY.keyId, limits: LIMITS, tokens: RESERVED_TOKENS });
    if (!admitted.allowed || this.#model === null) throw new Error("the rig admits every request");
    run.admission = { ticket: admitted.ticket, heldMicroCents: 1_000n };
    const plan = this.plan(call, body);
    const dialled = new Promise<FakeNode>((resolve) => this.#dialled.once("node", resolve));
    const reply = deliver(run, plan, (onOpened) =>
      attemptNodes({ trace: run.trace, plan, run, onOpened }),
    ).catch(async (error: unknown) => {
      await settleFailed(run, error);
      return null;
    });
    return new Generation(call, await dialled, reply);
  }

  /** A request before its admission. */
  run(call: GatewayRequest, body: JsonObject): GenerationContext {
    const trace = new RequestLogBuilder(call, new Date());
    trace.stream = body.stream === true;
    return {
      key: { ...KEY, models: null },
      trace,
      model: this.#model,
      admission: null,
      inputEstimate: PROMPT_TOKENS,
      settled: false,
      body,
      metered: null,
    };
  }

  /** What would be asked of which node. Throws: INVALID_REQUEST. */
  plan(call: GatewayRequest, body: JsonObject) {
    if (this.#model === null) throw new Error("the rig's model is live");
    return planAttempts({
      call,
      key: { ...KEY, models: null },
      model: this.#model,
      body,
      text: null,
      version: "2023-06-01",
      compatibility: this.compatibility,
      inputEstimate: PROMPT_TOKENS,
    });
  }

  /** Whether a node could take a call, had it one place. */
  availability(nodeId: Protocol) {
    return this.health.availability({ nodeId, upstreamModel: "upstream", maxConcurrency: 1 });
  }

  /** Tokens of the key that count against its limit now. */
  async countedTokens(): Promise<number> {
    return (await this.limiter.peek(KEY.keyId, LIMITS)).tpm.used;
  }

  #dial(answer: UpstreamAnswer): boolean {
    this.#dialled.emit("node", new FakeNode(answer));
    return true;
  }
}

/** A node whose answer a test writes. */
export class FakeNode {
  /** True once the gateway has closed the connection. */
  gone = false;
  readonly #controller: Dispatcher.DispatchController;

  constructor(readonly answer: UpstreamAnswer) {
    const controller = {
      paused: false,
      aborted: false,
      reason: null,
      pause: () => {},
      resume: () => {},
      abort: (reason: Error) => {
        this.gone = true;
        answer.onResponseError(this.#controller, reason);
      },
    };
    this.#controller = controller as unknown as Dispatcher.DispatchController; // the parts an answer uses
    answer.onRequestStart(this.#controller);
  }

  /** Says 200. */
  open(type = "text/event-stream"): void {
    this.answer.onResponseStart(this.#controller, 200, { "content-type": type });
  }

  send(text: string): void {
    if (!this.gone) this.answer.onResponseData(this.#controller, Buffer.from(text));
  }

  end(): void {
    if (!this.gone) this.answer.onResponseEnd();
  }
}

/** One call of a client. */
export class Generation {
  /** What the client has got. */
  wire = "";
  readonly over: Promise<void>;

  constructor(
    readonly call: ReturnType<typeof callOf>,
    readonly node: FakeNode,
    reply: Promise<{ body: string | AsyncIterable<string> } | null>,
  ) {
    this.over = reply.then((answer) => this.#read(answer?.body ?? ""));
  }

  leave(): void {
    this.call.signal.abort();
  }

  async #read(body: string | AsyncIterable<string>): Promise<void> {
    if (typeof body === "string") this.wire = body;
    else for await (const text of body) this.wire += text;
  }
}

/** Lets everything happen that can happen by itself. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** A call of a client who can leave. */
export function callOf(protocol: Protocol): GatewayRequest & { signal: Cancellation } {
  return {
    requestId: crypto.randomUUID(),
    protocol,
    method: "POST",
    path: protocol === "chat" ? "/v1/chat/completions" : "/v1/messages",
    headers: {},
    query: new URLSearchParams(),
    clientIp: "127.0.0.1",
    signal: new Cancellation(),
    receivedAtMs: performance.now(),
    replyHeaders: {},
    atEnd: [],
    readBody: async () => Buffer.alloc(0),
  };
}
