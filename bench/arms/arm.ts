import type { Target } from "../load/target";
import type { MockCounts } from "../mock/counters";
import type { Payload } from "../payloads";

/** One way to reach the mock upstream. */
export interface Arm {
  name: string;
  /** What is switched on, for tables. */
  features: string;
  /** The process whose time is counted; null when nothing stands between. */
  pid: number | null;
  /** Where a payload of this arm is sent. */
  target(payload: Payload): Target;
  /** Everything that is wrong with its books after requests that the mock counted; empty when exact or without books. */
  verify(counts: MockCounts): Promise<string[]>;
  /** What it has logged, for the message of a failure. */
  said?(): string;
}

/** For arms that keep no books. */
export const noBooks = async (): Promise<string[]> => [];

const CHAT = "/v1/chat/completions";

/** A Chat Completions request for an arm. */
export function chatTarget(origin: string, body: string, headers: Record<string, string> = {}): Target {
  return { url: origin + CHAT, headers: { "content-type": "application/json", ...headers }, body };
}
