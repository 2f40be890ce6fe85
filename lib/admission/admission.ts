import { type AskedBudgets, needOf } from "@/lib/accounts/budget-needs";
import { type GatewayKey, UNUSABLE_KEY } from "@/lib/accounts/gateway-key";
import type { KeyBudget } from "@/lib/accounts/key-budgets";
import type { HoldOutcome } from "@/lib/billing/settlement";
import { ConcurrencyLimiter } from "@/lib/kernel/concurrency-limiter";
import { atCapacity, type ErrorCode, type ErrorDetails, GatewayError, overloaded } from "@/lib/kernel/errors";
import { centsDecimal } from "@/lib/kernel/money";
import type { Permit } from "@/lib/kernel/permit";
import type { RefusalName } from "@/lib/kernel/refusals";
import { budgetRefusal } from "./budget-refusal";
import type { FloodGuard } from "./flood-guard";
import type { Admission as LimitAdmission, LimitName } from "./limiter";

/** One reason to refuse a call. */
export interface Reason {
  name: RefusalName;
  code: ErrorCode;
  /** The counter of its refusals that no log entry records; null: the request log has them. */
  metric: "overload" | "flood" | "bulk" | "INVALID_API_KEY" | null;
  /** The guarantee that the reason enforces. */
  guarantee: string;
}

/**
 * Every reason to refuse a call because of load, size, limits or quota, in the order of the checks: cheapest first,
 * each once. The first reason that applies determines the answer. Source: docs/architecture.md#s1-7,
 * docs/contract.md#s7-order, #b5, docs/reliability.md#s2-8, #s2-11.
 */
export const admissionOrder = [
  {
    name: "shutdown",
    code: "NO_AVAILABLE_NODE",
    metric: "overload",
    guarantee: "Nothing begins after the deadline of a shutdown.",
  },
  {
    name: "overload",
    code: "NO_AVAILABLE_NODE",
    metric: "overload",
    guarantee: "What was admitted finishes in time, because no more begins than the process can do.",
  },
  {
    name: "body-size",
    code: "PAYLOAD_TOO_LARGE",
    metric: null,
    guarantee: "No body takes more memory than the configured limit.",
  },
  {
    name: "address-flood",
    code: "RATE_LIMITED",
    metric: "INVALID_API_KEY",
    guarantee: "An address tries at most 50 invalid credentials a second.",
  },
  {
    name: "key-flood",
    code: "RATE_LIMITED",
    metric: "flood",
    guarantee: "No body is read for a key that sends ten times what its plan allows.",
  },
  {
    name: "free-calls",
    code: "RATE_LIMITED",
    metric: null,
    guarantee: "A key makes at most 60 calls a minute of each kind that costs nothing.",
  },
  {
    name: "requests-per-key",
    code: "NO_AVAILABLE_NODE",
    metric: "overload",
    guarantee: "One key occupies at most a quarter of the process.",
  },
  {
    name: "compressed-bodies",
    code: "NO_AVAILABLE_NODE",
    metric: "overload",
    guarantee: "Few compressed bodies are open at once, so that they do not fill the memory.",
  },
  {
    name: "rate-limits",
    code: "RATE_LIMITED",
    metric: null,
    guarantee: "No key passes its requests a second, requests a minute, tokens a minute or calls at once.",
  },
  {
    name: "account-limits",
    code: "RATE_LIMITED",
    metric: null,
    guarantee: "All keys of an account together do not pass its limits of the same kinds.",
  },
  {
    name: "bulk-work",
    code: "NO_AVAILABLE_NODE",
    metric: "bulk",
    guarantee:
      "What small requests make the process do in bulk leaves it most of its time, and each account its turn.",
  },
  {
    name: "generations-per-key",
    code: "NO_AVAILABLE_NODE",
    metric: "overload",
    guarantee: "A key runs at most four times its requests a second at once, but always 20.",
  },
  {
    name: "hold-capacity",
    code: "NO_AVAILABLE_NODE",
    metric: "overload",
    guarantee: "No call waits for a hold that the database does not make in time.",
  },
  {
    name: "quota",
    code: "QUOTA_EXCEEDED",
    metric: null,
    guarantee: "Nobody spends more than is left, except one last request at most.",
  },
  {
    name: "budget",
    code: "QUOTA_EXCEEDED",
    metric: null,
    guarantee:
      "No rule is passed: not at all when it is hard, else by what the running requests cost beyond expectation.",
  },
] as const satisfies readonly Reason[];

/** The name of a reason. */
export type ReasonName = (typeof admissionOrder)[number]["name"];

/** The state that the reasons are checked against. */
export interface AdmissionParts {
  drain: { readonly inFlight: number; readonly aborted: boolean };
  loop: { readonly overloaded: boolean };
  ledger: { readonly atCapacity: boolean };
  flood: FloodGuard;
  metrics: {
    refused(reason: Exclude<Reason["metric"], null>): void;
    budgetRefused(rule: Pick<KeyBudget, "scope" | "unit" | "mode">): void;
  };
  /** How users reach those who run the gateway; null: they are not told. */
  contact?(): string | null;
  /** In [0, 1). */
  random: () => number;
  /** Units: bytes. */
  maxBodyBytes: number;
  /** Requests that the process runs at once. Default 5,000. */
  capacity?: number;
}

/**
 * With so few requests in flight, other programs use the processor, and refusing calls would not make the process
 * faster.
 */
const MOST_IN_FLIGHT_OF_A_SLOW_PROCESS = 64;

type LimitRefusal = Extract<LimitAdmission, { allowed: false }>;

/** Longer than the rest of a shutdown. */
const RETRY_AFTER_SHUTDOWN_SECONDS = 5;
const RETRY_AFTER_RUNNING_SECONDS = 2;

const limitWords: Record<LimitName, string> = {
  qps: "requests per second",
  rpm: "requests per minute",
  tpm: "tokens per minute",
  concurrent: "calls at once",
};

/** Checks the reasons of `admissionOrder`. Each method returns the refusal, or null when the call may continue. */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #requests: ConcurrencyLimiter;
  readonly #generations: ConcurrencyLimiter;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#requests = new ConcurrencyLimiter(parts.capacity);
    this.#generations = new ConcurrencyLimiter(parts.capacity);
  }

  /** `shutdown` and `overload`, for a generation of which only the head has been read. */
  atArrival(): GatewayError | null {
    if (this.#parts.drain.aborted) return this.#refuse("shutdown", shuttingDownError());
    if (this.overloaded)
      return this.#refuse("overload", atCapacity("overload", undefined, this.#parts.random));
    return null;
  }

  /** True while generations are refused because of `overload`. */
  get overloaded(): boolean {
    const { drain, loop, ledger } = this.#parts;
    if (drain.inFlight > this.#requests.capacity || ledger.atCapacity) return true;
    return loop.overloaded && drain.inFlight > MOST_IN_FLIGHT_OF_A_SLOW_PROCESS;
  }

  /** `body-size`, by the declared length; the actual size is counted while the body is read. */
  ofDeclaredSize(contentLength: string | undefined): GatewayError | null {
    if (contentLength === undefined || Number(contentLength) <= this.#parts.maxBodyBytes) return null;
    return this.#refuse("body-size", tooLarge(this.#parts.maxBodyBytes));
  }

  /** `address-flood`, for a request with an invalid credential. */
  ofAddress(clientIp: string): GatewayError | null {
    this.#parts.metrics.refused("INVALID_API_KEY");
    const waitMs = this.#parts.flood.forAddress(clientIp);
    if (waitMs === 0) return null;
    const error = rateLimited("Too many requests with invalid keys from this address.", waitMs);
    error.details.refusal = "address-flood";
    return error;
  }

  /** `key-flood` and `requests-per-key`; null: the permit is taken. Units: milliseconds of the monotonic clock. */
  ofKey(key: GatewayKey, permit: Permit, nowMs?: number): GatewayError | null {
    const waitMs = this.#parts.flood.forKey(key.keyId, key.limits.qps, nowMs);
    if (waitMs > 0) {
      const text = "Far more requests than the plan allows are coming from this key.";
      return this.#refuse("key-flood", rateLimited(text, waitMs));
    }
    if (permit.take(this.#requests, key.keyId, null)) return null;
    return this.#keyIsBusy("requests-per-key", { overload: true });
  }

  /** `free-calls`: each `kind` has a limit of its own; `words` is the message of the refusal. */
  ofFreeCall(keyId: string, kind: "count" | "usage" | "stored", words: string): GatewayError | null {
    const waitMs = this.#parts.flood.forFreeCall(`${kind} ${keyId}`);
    return waitMs === 0 ? null : this.#refuse("free-calls", rateLimited(words, waitMs));
  }

  /** `rate-limits` and `account-limits`: the refusal of a verdict of the limiter, which checks both in one step. */
  ofLimits(refusal: LimitRefusal, planName: string): GatewayError {
    const { violated, level, retryAfterMs } = refusal;
    const allowed = `${allowedBy(refusal)} ${limitWords[violated]}`;
    if (level === "account") {
      const text = `The account allows ${allowed}, over all its keys.`;
      return this.#refuse("account-limits", rateLimited(text, retryAfterMs, limitDetails(refusal)));
    }
    const text = `The plan ${planName} allows ${allowed}.`;
    return this.#refuse("rate-limits", rateLimited(text, retryAfterMs, limitDetails(refusal)));
  }

  /** `generations-per-key`, after the rate limits, so that a burst beyond them gets a 429; null: the permit is taken. */
  ofGeneration(key: GatewayKey, permit: Permit): GatewayError | null {
    return permit.take(this.#generations, key.keyId, key.limits.qps)
      ? null
      : this.#keyIsBusy("generations-per-key", {});
  }

  /** `hold-capacity`: counts the ledger's own refusal. */
  ofHoldError(error: GatewayError): GatewayError {
    return error.details.overload === true ? this.#refuse("hold-capacity", error) : error;
  }

  /** `quota` and `budget`: the refusal of a hold. `asked`: the rules that it met; null: none. */
  ofHold(outcome: HoldOutcome, asked: AskedBudgets | null = null): GatewayError | null {
    if (outcome.held) return null;
    if (outcome.reason !== "budget") return this.#refuse("quota", holdRefusal(outcome));
    const rule = asked?.rules.find(({ id }) => id === outcome.budgetId);
    if (rule === undefined || asked === null)
      throw new Error("a hold was refused by a rule that it did not meet");
    this.#parts.metrics.budgetRefused(rule);
    const contact = this.#parts.contact?.() ?? null;
    const refusal = { ...outcome, need: needOf(rule, asked), now: asked.now, contact };
    return this.#refuse("budget", budgetRefusal(rule, refusal));
  }

  /** `compressed-bodies`: the refusal of a body that would wait too long. */
  ofCompressedBody(): GatewayError {
    const text = "Too many compressed bodies are opened at this moment; nothing was billed.";
    return this.#refuse(
      "compressed-bodies",
      overloaded("compressed-bodies", text, undefined, this.#parts.random),
    );
  }

  /** `bulk-work`: the refusal of work that would wait too long for its turn; `what` names it. */
  ofBulkWork(what: string): GatewayError {
    const retryAfterSeconds = 1 + Math.floor(this.#parts.random() * 3);
    const text = `Too ${what} at this moment; nothing was billed. Try again shortly.`;
    return this.#refuse("bulk-work", new GatewayError("NO_AVAILABLE_NODE", text, { retryAfterSeconds }));
  }

  /** A refusal of a call whose body is read is recorded in the key's log, unlike one for overload. */
  #keyIsBusy(name: ReasonName, details: { overload?: true }): GatewayError {
    const text = "Too many requests of this key are running at once; nothing was billed.";
    const retryAfterSeconds = 1 + Math.floor(this.#parts.random() * 3);
    return this.#refuse(name, new GatewayError("NO_AVAILABLE_NODE", text, { ...details, retryAfterSeconds }));
  }

  #refuse(name: ReasonName, error: GatewayError): GatewayError {
    const metric = metrics.get(name);
    if (metric) this.#parts.metrics.refused(metric);
    error.details.refusal ??= name;
    return error;
  }
}

const metrics: ReadonlyMap<ReasonName, Reason["metric"]> = new Map(
  admissionOrder.map(({ name, metric }) => [name, metric]),
);

/** The refusal of a body over the limit. Units: bytes. */
export function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError("PAYLOAD_TOO_LARGE", `The request body is larger than ${maxBytes} bytes.`);
}

/**
 * The error for requests that are still open when the drain time is over. Source: docs/reliability.md#s2-11,
 * docs/contract.md#s7.
 */
export function shuttingDownError(): GatewayError {
  return new GatewayError(
    "NO_AVAILABLE_NODE",
    "The gateway is being stopped; nothing was billed. Try again.",
    { retryAfterSeconds: RETRY_AFTER_SHUTDOWN_SECONDS },
  );
}

function holdRefusal(outcome: Exclude<HoldOutcome, { held: true } | { reason: "budget" }>): GatewayError {
  if (outcome.reason !== "quota") {
    return new GatewayError("INVALID_API_KEY", UNUSABLE_KEY);
  }
  const whose = outcome.level === "key" ? "this key" : "the account";
  const room = centsDecimal(outcome.roomMicroCents);
  if (outcome.heldMicroCents > 0n) {
    const held = centsDecimal(outcome.heldMicroCents);
    return new GatewayError(
      "QUOTA_EXCEEDED",
      `The quota of ${whose} does not cover this request now: ${room} cents are left and ${held} cents are held, not spent, by running requests.`,
      { retryAfterSeconds: RETRY_AFTER_RUNNING_SECONDS },
    );
  }
  if (outcome.roomMicroCents <= 0n)
    return new GatewayError(
      "QUOTA_EXCEEDED",
      `The quota of ${whose} is used up: ${room} cents are left. Raise the quota.`,
    );
  return new GatewayError(
    "QUOTA_EXCEEDED",
    `The quota of ${whose} does not cover this request: ${room} cents are left. Raise the quota or lower max_tokens.`,
  );
}

/** The amount of the limit that refused the call. */
export function allowedBy({ violated, level, state, accountState }: LimitRefusal): number {
  const use = (level === "account" && accountState ? accountState : state)[violated];
  return use?.limit ?? 0;
}

function limitDetails({ level, violated }: LimitRefusal): ErrorDetails {
  return { reason: level === "account" ? "account_limit" : "key_limit", limit: violated };
}

/** A 429 with both forms of its wait. Units: milliseconds. Source: docs/reliability.md#s2-8. */
function rateLimited(message: string, retryAfterMs: number, details: ErrorDetails = {}): GatewayError {
  const seconds = retryAfterSeconds(retryAfterMs);
  return new GatewayError("RATE_LIMITED", `${message} Please try again in ${seconds}s.`, {
    ...details,
    retryAfterSeconds: seconds,
    retryAfterMs,
  });
}

/** Whole seconds for `Retry-After`, at least 1. Units: milliseconds in. Source: docs/reliability.md#s2-8. */
export function retryAfterSeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1_000));
}
