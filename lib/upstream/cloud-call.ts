import type { Waiter } from "@/lib/kernel/waiter";
import type { CancelSignal } from "./cancellation";
import { signAwsRequest, type UnsignedRequest } from "./credentials/aws-signature";
import type { AwsTarget } from "./credentials/aws-target";
import { LARGE_SKEW_MS } from "./credentials/clock-skew";
import type { CloudAccess } from "./credentials/cloud-access";
import { CredentialError } from "./credentials/credential-error";
import type { Access, Obtained } from "./credentials/exchange";
import { isAboutToken, mayRefuseAccess, vendorRefusal } from "./credentials/vendor-refusal";
import { DialError, UpstreamAnswer } from "./upstream-answer";

/** A call to make with a token or a signature. */
interface CloudRequest extends UnsignedRequest {
  signal: CancelSignal;
  /** Units: milliseconds until response headers, over all tries. */
  withinMs: number;
}

/** Sends the request with further headers. Throws: DialError. */
type SendWith = (headers: Record<string, string>, withinMs: number, opening: Waiter<UpstreamAnswer>) => void;

const MAX_REFUSAL_BYTES = 64 * 1024;

/**
 * One call to a node with a token or a signature, made for the very bytes that are sent. A token that is held is taken
 * without waiting. A node that refuses a token is asked once more with a new one, and one whose clock differs once more
 * with a signature of its time; any other answer goes to the caller.
 *
 * Source: docs/clouds.md#refresh, #signing, #skew.
 */
export class CloudCall {
  readonly #access: CloudAccess;
  readonly #request: CloudRequest;
  readonly #sendWith: SendWith;
  readonly #opening: Waiter<UpstreamAnswer>;
  readonly #endsAtMs: number;
  #hasNewToken = false;
  #hasNewTime = false;

  /** `opening` gets the answer. Rejects: DialError, CredentialError. */
  constructor(
    access: CloudAccess,
    request: CloudRequest,
    sendWith: SendWith,
    opening: Waiter<UpstreamAnswer>,
  ) {
    this.#access = access;
    this.#request = request;
    this.#sendWith = sendWith;
    this.#opening = opening;
    this.#endsAtMs = access.clock.nowMs() + request.withinMs;
  }

  /** Begins. */
  start(): void {
    const held = this.#access.source.ready();
    if (held !== null) this.#send(held);
    else this.#await(this.#access.source.get(), (obtained) => this.#send(obtained));
  }

  /** Goes on with a result unless the call is given up before it is there. */
  #await<Result>(work: Promise<Result>, next: (result: Result) => void): void {
    const { signal } = this.#request;
    let waits = true;
    const end = (then: () => void) => {
      if (!waits) return;
      waits = false;
      cancel();
      signal.removeEventListener("abort", onAbort);
      then();
    };
    const refuse = (error: unknown) => end(() => this.#opening.reject(error));
    const onAbort = () => refuse(new DialError("aborted", "the client has disconnected"));
    const cancel = this.#access.startTimer(this.#leftMs(), () => refuse(new CredentialError("timeout")));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    work.then((result) => end(() => next(result)), refuse);
  }

  #send(obtained: Obtained): void {
    try {
      if (this.#request.signal.aborted) throw new DialError("aborted", "the client has disconnected");
      this.#sendWith(this.#headers(obtained.access), this.#leftMs(), {
        resolve: (answer) => this.#opened(obtained, answer),
        reject: (error) => this.#opening.reject(error),
      });
    } catch (error) {
      this.#opening.reject(error);
    }
  }

  /** Throws: CredentialError when nothing tells the region. */
  #headers(access: Access): Record<string, string> {
    if (access.type === "bearer") return { authorization: `Bearer ${access.token}` };
    if (access.type === "key") return { authorization: `Bearer ${access.key}` };
    const { skews, clock } = this.#access;
    const at = new Date(clock.date().getTime() + skews.of(this.#request.url.host));
    return signAwsRequest(this.#request, access.keys, this.#target(), at);
  }

  #target(): AwsTarget {
    const { target } = this.#access;
    if (target === null) throw new CredentialError("region_unknown");
    return target;
  }

  #opened(obtained: Obtained, answer: UpstreamAnswer): void {
    if (!mayRefuseAccess(answer.status)) {
      this.#opening.resolve(answer);
      return;
    }
    const read = answer.text(MAX_REFUSAL_BYTES).catch((error: unknown) => {
      if (error instanceof DialError && error.kind !== "aborted") return "";
      throw error;
    });
    read.then(
      (body) => this.#refused(obtained, answer, body),
      (error) => this.#opening.reject(error),
    );
  }

  #refused(obtained: Obtained, answer: UpstreamAnswer, body: string): void {
    const refusal = vendorRefusal(answer.headers, body);
    const giveOn = () => this.#opening.resolve(UpstreamAnswer.received(answer.status, answer.headers, body));
    const { source, skews, clock, onSkew } = this.#access;
    const { host } = this.#request.url;
    const skewMs = obtained.access.type === "aws" ? skews.learn(host, refusal, clock.date()) : null;
    if (skewMs !== null && !this.#hasNewTime) {
      this.#hasNewTime = true;
      if (Math.abs(skewMs) > LARGE_SKEW_MS) onSkew(host, skewMs);
      this.#send(obtained);
    } else if (isAboutToken(answer.status, refusal) && !this.#hasNewToken) {
      this.#hasNewToken = true;
      this.#await(source.refreshAfterRejection(obtained.access), (next) =>
        next === null ? giveOn() : this.#send(next),
      );
    } else giveOn();
  }

  /** Units: milliseconds; at least 1, because 0 is no limit. */
  #leftMs(): number {
    return Math.max(1, this.#endsAtMs - this.#access.clock.nowMs());
  }
}
