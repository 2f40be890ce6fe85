import { EventEmitter } from "node:events";
import { Balances } from "@/lib/accounts/key-balance";
import { generateKey } from "@/lib/accounts/key-text";
import { KnownBudgets } from "@/lib/accounts/known-budgets";
import { Admission } from "@/lib/admission/admission";
import { Drain } from "@/lib/admission/drain";
import { FloodGuard } from "@/lib/admission/flood-guard";
import { MemoryLimiter } from "@/lib/admission/memory";
import { ExpectedUse } from "@/lib/billing/expected-use";
import type { HoldOutcome, HoldRequest, Settlement, SettleOutcome } from "@/lib/billing/settlement";
import type { Database } from "@/lib/db/database";
import { DECODING } from "@/lib/gateway/decode-body";
import { MAX_DISCONNECT_DRAINS } from "@/lib/gateway/deliver";
import type { GatewayRequest } from "@/lib/gateway/gateway-request";
import { generate } from "@/lib/gateway/generate";
import { type GenerationContext, RequestLogBuilder } from "@/lib/gateway/generation-context";
import { generation } from "@/lib/gateway/operation";
import { planAttempts } from "@/lib/gateway/plan";
import { PLAIN_TERMS } from "@/lib/gateway/price-terms";
import type { Reply } from "@/lib/gateway/reply";
import { ResponseStore } from "@/lib/gateway/responses-state/store";
import { StoreLimits } from "@/lib/gateway/responses-state/store-bounds";
import type { Gateway } from "@/lib/gateway/runtime";
import { systemClock } from "@/lib/kernel/clock";
import { Deadlines } from "@/lib/kernel/deadlines";
import { FairSemaphore } from "@/lib/kernel/fair-semaphore";
import type { JsonObject } from "@/lib/kernel/json-object";
import { Permit } from "@/lib/kernel/permit";
import { Semaphore } from "@/lib/kernel/semaphore";
import type { Waiter } from "@/lib/kernel/waiter";
import type { Compatibility } from "@/lib/protocols/generation/compatibility";
import { clientPaths, type Protocol } from "@/lib/protocols/protocol";
import { buildSnapshot, type CatalogModelDraft } from "@/lib/router/catalog";
import { Health } from "@/lib/router/health";
import { StickyNodes } from "@/lib/router/sticky-nodes";
import { Cancellation } from "@/lib/upstream/cancellation";
import { systemMachine } from "@/lib/upstream/credentials/system-machine";
import { startSystemTimer } from "@/lib/upstream/credentials/system-timer";
import { TokenSources } from "@/lib/upstream/credentials/token-sources";
import { OutboundProxy } from "@/lib/upstream/outbound-proxy";
import type { UpstreamAnswer } from "@/lib/upstream/upstream-answer";
import { makeModel, makeNode, makeRoute } from "../router/factories";
import { FakeNode } from "./fake-node";

export const PROMPT_TOKENS = 20;
const SWEEP_MS = 5;
const keyRing = { current: { id: "00000000", key: Buffer.alloc(32) }, previous: null };
const MONEY = { quotaMicroCents: 1_000_000_000n, usedMicroCents: 0n, heldMicroCents: 0n };
export const LIMITS = { qps: null, rpm: null, tpm: 100_000_000 };
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
  account: null,
  maxKeys: null,
  limits: LIMITS,
  userStatus: "active",
  userRole: "user",
  isConsoleKey: false,
  budgets: [],
  balance: { ...MONEY, account: MONEY },
} as const;

const SECRET = generateKey().key;

/** A ledger that holds whatever is asked and keeps what is settled. */
class FakeLedger {
  readonly atCapacity = false;
  readonly holds: HoldRequest[] = [];

  constructor(readonly settlements: Settlement[]) {}

  hold(hold: HoldRequest, waiter: Waiter<HoldOutcome>): void {
    this.holds.push(hold);
    queueMicrotask(() => waiter.resolve({ held: true, heldMicroCents: hold.amountMicroCents }));
  }

  settle(settlement: Settlement, waiter: Waiter<SettleOutcome>): void {
    this.settlements.push(settlement);
    queueMicrotask(() => waiter.resolve("settled"));
  }
}

/** The stages of a generation from its plan to its settlement, with a node that a test writes frame by frame. */
export class GenerationRig {
  readonly settlements: Settlement[] = [];
  readonly ledger = new FakeLedger(this.settlements);
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
    const balances = new Balances();
    balances.update(KEY, MONEY, MONEY);
    const metrics = {
      settled: () => {},
      refused: () => {},
      replied: () => {},
      budgetRefused: () => {},
      budgetOverran: () => {},
    };
    const admission = new Admission({
      drain: this.drain,
      loop: { overloaded: false },
      ledger: this.ledger,
      flood: new FloodGuard(),
      metrics,
      random: () => 0,
      maxBodyBytes: 100_000,
    });
    this.gateway = {
      tokenSources: new TokenSources({
        ...systemMachine,
        send: () => Promise.reject(new Error("no vendor is asked")),
        clock: systemClock,
        startTimer: startSystemTimer,
        allowAmbient: false,
        onWarning: () => {},
        onSkew: () => {},
      }),
      settings: {
        compatibility,
        allowPrivateUpstreams: true,
        corsOrigins: [],
        maxBodyBytes: 100_000,
        responsesEchoInstructions: false,
        trustProxy: 0,
      },
      secrets: { credentials: keyRing, reasoning: keyRing },
      provenanceKey: "provenance",
      clock: systemClock,
      deadlines: new Deadlines(() => systemClock.nowMs() + this.#skippedMs, SWEEP_MS),
      random: () => 0,
      log: { error: () => {}, debug: () => {} },
      metrics,
      refusals: { sent: () => {} },
      drain: this.drain,
      admission,
      bodyDecoders: new FairSemaphore({ ...DECODING, refusal: () => admission.ofCompressedBody() }),
      bulkWork: new FairSemaphore(),
      disconnectDrains: new Semaphore(MAX_DISCONNECT_DRAINS),
      db: {} as Database, // no stage of a generation asks it
      catalog: { current: snapshot },
      keys: { peek: () => ({ ...KEY, models: null }), get: async () => null },
      limiter: this.limiter,
      ledger: this.ledger,
      balances,
      knownBudgets: new KnownBudgets(),
      expectedUse: new ExpectedUse(),
      health: this.health,
      sticky: new StickyNodes(systemClock.nowMs),
      pools: {
        outboundProxy: new OutboundProxy({ https: null, http: null, noProxy: "" }),
        get: () => ({ dispatch: (_call: unknown, answer: UpstreamAnswer) => this.#dial(answer) }) as never, // the part that calls use
      },
      responses: new ResponseStore({
        database: { query: async () => [] },
        hours: 0,
        limits: new StoreLimits({
          database: { query: async () => [] },
          bounds: { accountBytes: 0, totalBytes: 0 },
          onEvicted: () => {},
          onError: () => {},
        }),
        now: () => new Date(),
        onUnstored: () => {},
      }),
      tokens: { count: async (text: string) => Math.ceil(text.length / 4) },
    };
    this.#model = snapshot.models.get("alias") ?? null;
  }

  readonly #model;
  readonly gateway: Gateway;

  /** The text of the key that every call sends. */
  readonly secret = SECRET;
  #skippedMs = 0;

  /** Lets time pass for everything that may wait too long: all is looked at before and after. */
  async skip(ms: number): Promise<void> {
    await this.#swept();
    this.#skippedMs += ms;
    await this.#swept();
    await settled();
  }

  /** Resolves when everything that is watched by now has been looked at. */
  #swept(): Promise<void> {
    return new Promise((resolve) => {
      const onSweep = () => {
        resolve();
        return false;
      };
      this.gateway.deadlines.watch({ onSweep });
    });
  }

  /** Begins a generation; resolves when its node has been called. */
  async begin(client: Protocol, fields: JsonObject = {}): Promise<Generation> {
    const body: JsonObject = {
      model: "alias",
      max_tokens: 1_000,
      stream: true,
      messages: [{ role: "user", content: "Say hello." }],
      ...fields,
    };
    const call = callOf(client, body);
    const dialled = this.dialled();
    const reply = generate(this.gateway, call).catch(() => null);
    return new Generation(call, await dialled, reply);
  }

  /** The node of the next call. */
  dialled(): Promise<FakeNode> {
    return new Promise((resolve) => this.#dialled.once("node", resolve));
  }

  /** A request before its plan. */
  context(call: GatewayRequest): GenerationContext {
    const log = new RequestLogBuilder(call.receivedAtMs, this.gateway.clock.nowMs);
    log.model = this.#model;
    return {
      operation: generation,
      gateway: this.gateway,
      call,
      key: { ...KEY, models: null },
      log,
      keeper: null,
    };
  }

  /** What would be asked of which node. Throws: INVALID_REQUEST. */
  plan(call: GatewayRequest, body: JsonObject) {
    if (this.#model === null) throw new Error("the rig's model is live");
    return planAttempts({
      operation: generation,
      gateway: this.gateway,
      call,
      key: { ...KEY, models: null },
      model: this.#model,
      body,
      source: null,
      version: "2023-06-01",
      compatibility: this.compatibility,
      inputEstimate: PROMPT_TOKENS,
      terms: PLAIN_TERMS,
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

/** One call of a client. */
export class Generation {
  /** What the client has got. */
  wire = "";
  /** What each write has to wait for. */
  waits: Promise<void> | null = null;
  readonly over: Promise<void>;

  constructor(
    readonly call: ReturnType<typeof callOf>,
    readonly node: FakeNode,
    reply: Promise<Pick<Reply, "body"> | null>,
  ) {
    this.over = reply.then((answer) => this.#read(answer?.body ?? ""));
  }

  leave(): void {
    this.call.signal.abort();
  }

  async #read(body: Reply["body"]): Promise<void> {
    if (typeof body === "string") this.wire = body;
    else await body({ write: (frames) => this.#take(frames) });
  }

  #take(frames: string): Promise<void> | null {
    this.wire += frames;
    return this.waits;
  }
}

/** Lets everything happen that can happen by itself. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** A call of a client who can leave. */
export function callOf(protocol: Protocol, body: JsonObject = {}): GatewayRequest & { signal: Cancellation } {
  return {
    requestId: crypto.randomUUID(),
    protocol,
    method: "POST",
    path: clientPaths[protocol],
    headers: { "content-type": "application/json", "x-api-key": SECRET },
    query: new URLSearchParams(),
    clientIp: "127.0.0.1",
    signal: new Cancellation(),
    receivedAtMs: performance.now(),
    receivedAt: new Date(),
    replyHeaders: {},
    permit: new Permit(),
    readBody: async () => Buffer.from(JSON.stringify(body)),
  };
}
