import { DeadlineError, withDeadline } from "@/lib/kernel/with-deadline";
import type { RedisConnection } from "./redis-connection";
import { limitScript } from "./redis-script";

/** An operation on the windows of a key; the meaning of the values depends on it. Shape: see the script. */
export interface LimitOperation {
  op: "admit" | "enlarge" | "peek" | "correct" | "hold" | "leave";
  /** The key, or the account, whose windows are used. */
  keyId: string;
  values: readonly [number, number, number, number | string];
  /** The account of the key where it has limits: a store with slots keeps the windows of both in one slot. */
  accountId?: string | undefined;
  /** Calls at once and the limits of the account; absent: neither is limited. */
  further?: FurtherLimits | undefined;
}

/** Limits that are checked together with those of a key. Shape: -1 is no limit. */
export interface FurtherLimits {
  concurrent: number;
  /** Null: no limit of calls at once applies to the call. */
  placeId: string | null;
  /** Its qps, rpm, tpm and calls at once; null: the account has no limits. */
  account: readonly [number, number, number, number] | null;
}

/** The script's answer to an operation. */
export type LimitReply = readonly number[];

/** What a caller of operations needs. Units: milliseconds. */
export interface RedisCallsOptions {
  timeoutMs: () => number;
  /** Replaces the server's clock, in microseconds. Tests only. */
  serverTimeUs?: () => number;
  /** Called when the store answered a call. */
  succeeded(): void;
  /** Called for each operation of a call that got no answer in time, or an error for the whole call. */
  failed(error: unknown): void;
  /** Called with each error of the store. */
  onError(error: unknown): void;
}

interface Waiting {
  readonly operation: LimitOperation;
  resolve(reply: LimitReply | null): void;
  onLateReply(reply: LimitReply): void;
}

/** A correction of the tokens in one bucket of a key, to which further ones are added until it is sent. */
class Correction implements Waiting {
  readonly operation: LimitOperation;
  /** Decreases and increases are kept separately, because an expired bucket accepts no decreases. */
  #less = 0;
  #more = 0;

  constructor(
    readonly keyId: string,
    readonly bucket: number,
    accountId: string | undefined,
  ) {
    this.operation = { op: "correct", keyId, values: [bucket, 0, 0, 0], accountId };
  }

  add(delta: number): void {
    if (delta < 0) this.#less += delta;
    else this.#more += delta;
    this.operation.values = [this.bucket, this.#less, this.#more, 0];
  }

  /** No caller waits for its answer. */
  resolve(): void {}

  onLateReply(): void {}
}

/** The most operations of one call, about 10 µs each, so that one call does not block the store for long. */
const MAX_OPERATIONS = 128;

/**
 * Sends operations to the shared store: those of one turn of the event loop are sent together, in one call and in
 * order. A cluster refuses a call with keys of several slots before it changes anything; from then on each slot has a
 * call of its own. Source: docs/reliability.md#s2-8.
 */
export class RedisCalls {
  #waiting: Waiting[] = [];
  /** The last correction among the waiting operations. */
  #correction: Correction | null = null;
  #hasSlots = false;
  readonly #connection: RedisConnection;
  readonly #options: RedisCallsOptions;

  constructor(connection: RedisConnection, options: RedisCallsOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /**
   * The answer to an operation; null when the store failed or did not answer in time. `onLateReply` receives an answer
   * that arrives later.
   */
  run(
    operation: LimitOperation,
    onLateReply: (reply: LimitReply) => void = () => {},
  ): Promise<LimitReply | null> {
    return new Promise((resolve) => this.#submit({ operation, resolve, onLateReply }));
  }

  /**
   * Adds to the tokens of a key in a bucket, in one operation with other corrections of it. The outcome is not
   * reported.
   */
  correct(keyId: string, bucket: number, delta: number, accountId?: string): void {
    if (delta === 0) return;
    if (this.#correction?.keyId !== keyId || this.#correction.bucket !== bucket) {
      this.#correction = new Correction(keyId, bucket, accountId);
      this.#submit(this.#correction);
    }
    this.#correction.add(delta);
  }

  /** Sends an operation whose outcome is not reported. */
  send(operation: LimitOperation): void {
    this.#submit({ operation, resolve: () => {}, onLateReply: () => {} });
  }

  /** The name of a key's windows; the part in braces determines the slot. */
  #nameOf(keyId: string, accountId?: string): string {
    return this.#hasSlots && accountId !== undefined ? `{${accountId}}:${keyId}` : `{${keyId}}`;
  }

  #submit(waiting: Waiting): void {
    // The immediate runs after everything that this turn has read from the sockets was handled.
    if (this.#waiting.push(waiting) === 1) setImmediate(() => this.#send());
  }

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#correction = null;
    for (const part of this.#hasSlots ? bySlot(waiting) : [waiting]) {
      for (let start = 0; start < part.length; start += MAX_OPERATIONS) {
        void this.#call(part.slice(start, start + MAX_OPERATIONS));
      }
    }
  }

  /** Never rejects. */
  async #call(batch: readonly Waiting[]): Promise<void> {
    const hadSlots = this.#hasSlots;
    const replies = this.#evaluate(batch);
    try {
      this.#answer(batch, await withDeadline(replies, this.#options.timeoutMs()));
    } catch (error) {
      const parts = refusesSlots(error) ? bySlot(batch) : [];
      if (parts.length > 1 || (parts.length === 1 && !hadSlots)) {
        this.#hasSlots = true;
        for (const part of parts) void this.#call(part);
        return;
      }
      if (error instanceof DeadlineError)
        replies.then(
          (late) => tellLate(batch, late),
          () => {},
        );
      this.#options.onError(error);
      for (const { resolve } of batch) {
        this.#options.failed(error);
        resolve(null);
      }
    }
  }

  /** One operation may fail alone, for instance because its key holds a value of another type. */
  #answer(batch: readonly Waiting[], replies: readonly string[]): void {
    const read = replies.map(readReply);
    const errors = read.filter((reply) => reply instanceof Error);
    for (const error of errors) this.#options.onError(error);
    if (errors.length < batch.length) this.#options.succeeded();
    else for (const error of errors) this.#options.failed(error);
    for (const [index, { resolve }] of batch.entries()) {
      const reply = read[index];
      resolve(reply === undefined || reply instanceof Error ? null : reply);
    }
  }

  async #evaluate(batch: readonly Waiting[]): Promise<readonly string[]> {
    const keys: string[] = [];
    const places = new Map<string, number>();
    const placeOf = (name: string): number => {
      let place = places.get(name);
      if (place === undefined) {
        place = places.size;
        places.set(name, place);
        const prefix = `tollgate:limit:${name}`;
        keys.push(`${prefix}:log`, `${prefix}:requests`, `${prefix}:tokens`);
      }
      return place;
    };
    let operations = "";
    for (const { operation } of batch) {
      const { op, keyId, accountId, values, further } = operation;
      operations += `${op} ${placeOf(this.#nameOf(keyId, accountId))} ${values.join(" ")}`;
      if (further !== undefined) {
        operations += ` ${further.concurrent} ${further.placeId ?? "-"}`;
        if (further.account !== null && accountId !== undefined)
          operations += ` ${placeOf(this.#nameOf(accountId))} ${further.account.join(" ")}`;
      }
      operations += ";";
    }
    const sent = [...keys, this.#options.serverTimeUs?.().toFixed(0) ?? "", operations];
    const reply = await this.#connection
      .evalsha(limitScript.sha, keys.length, ...sent)
      .catch((error: unknown) => {
        if (!(error instanceof Error) || !error.message.startsWith("NOSCRIPT")) throw error;
        return this.#connection.eval(limitScript.source, keys.length, ...sent);
      });
    if (typeof reply !== "string")
      throw new Error("the shared store answered with something else than a text");
    return reply.split(";");
  }
}

function refusesSlots(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("CROSSSLOT");
}

function bySlot(batch: readonly Waiting[]): Waiting[][] {
  const parts = new Map<string, Waiting[]>();
  for (const waiting of batch) {
    const { keyId, accountId = keyId } = waiting.operation;
    const part = parts.get(accountId);
    if (part) part.push(waiting);
    else parts.set(accountId, [waiting]);
  }
  return [...parts.values()];
}

function readReply(reply: string | undefined): LimitReply | Error {
  if (reply === undefined || reply.startsWith("!")) return new Error(reply?.slice(1) ?? "no reply");
  return reply.split(" ").map(Number);
}

function tellLate(batch: readonly Waiting[], replies: readonly string[]): void {
  for (const [index, { onLateReply }] of batch.entries()) {
    const reply = readReply(replies[index]);
    if (!(reply instanceof Error)) onLateReply(reply);
  }
}
