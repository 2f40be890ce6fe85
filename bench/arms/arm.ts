import type { Target } from "../load/target";
import type { MockCounts } from "../mock/counters";
import type { Payload } from "../payloads";

/** One configuration under test between load generator and mock upstream. */
export interface Arm {
  name: string;
  /** The enabled features, for tables. */
  features: string;
  /** The process whose CPU time is measured; null for the direct connection. */
  pid: number | null;
  /** The target of a payload in this arm. */
  target(payload: Payload): Target;
  /** Those of several processes, over which the connections of a load are spread; absent: one. */
  targets?(payload: Payload): readonly Target[];
  /** Problems of its ledger compared with the mock's counts; empty when it is exact or there is none. */
  verify(counts: MockCounts): Promise<string[]>;
  /** Its log, for error messages. */
  said?(): string;
}

/** For arms without a ledger. */
export const noLedger = async (): Promise<string[]> => [];

const CHAT = "/v1/chat/completions";

/** A Chat Completions request for an arm. */
export function chatTarget(origin: string, body: string, headers: Record<string, string> = {}): Target {
  return { url: origin + CHAT, headers: { "content-type": "application/json", ...headers }, body };
}

/** A Responses request for an arm. */
export function responsesTarget(origin: string, body: string, headers: Record<string, string>): Target {
  return { ...chatTarget(origin, body, headers), url: `${origin}/v1/responses` };
}
