import type { StoredAttempt } from "@/lib/db/schema/usage";
import type { GatewayRequest } from "./gateway-request";

/** Model name of requests whose model is no alias. Source: docs/contract.md#s5. */
const UNKNOWN_MODEL = "(unknown)";

/** What one generation leaves behind for its log entry, gathered while it runs. */
export class RequestLogBuilder {
  readonly call: GatewayRequest;
  readonly startedAt: Date;
  readonly attempts: StoredAttempt[] = [];
  /** Milliseconds from arrival at which each stage ended. */
  readonly timeline: Record<string, number> = {};
  readonly warnings = new Set<string>();
  model = UNKNOWN_MODEL;
  stream = false;
  ttftMs: number | null = null;
  nodeId: string | null = null;

  constructor(call: GatewayRequest, startedAt: Date) {
    this.call = call;
    this.startedAt = startedAt;
  }

  /** Milliseconds since the request arrived. */
  elapsedMs(): number {
    return this.sinceMs(0);
  }

  /** Milliseconds since a moment that `elapsedMs` gave, to the hundredth. */
  sinceMs(elapsedMs: number): number {
    return Math.round((performance.now() - this.call.receivedAtMs - elapsedMs) * 100) / 100;
  }

  /** A stage has ended now. */
  mark(stage: string): void {
    this.timeline[stage] = this.elapsedMs();
  }

  /** Notes what was dropped or changed. */
  warn(codes: Iterable<string>): void {
    for (const code of codes) this.warnings.add(code);
  }
}
