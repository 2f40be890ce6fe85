/** The counters of a rule in one period. Units: micro-cents, tokens or requests. */
export interface ModelWindow {
  used: bigint;
  held: bigint;
  extra: bigint;
}

/** A rule of the model. Units: micro-cents, tokens or requests. */
export interface ModelRule {
  unit: "money" | "tokens" | "requests";
  mode: "stop" | "hard" | "warn";
  limit: bigint;
  /** The member's own limit; null: none at all; absent: that of the rule. */
  exception?: bigint | null;
  enabled: boolean;
  /** Of the present period. */
  window: ModelWindow;
  past: ModelWindow[];
}

/** What a request needs. */
export interface ModelNeeds {
  mostMicroCents: bigint;
  expectedMicroCents: bigint;
  mostTokens: bigint;
  expectedTokens: bigint;
}

/** What a request has cost; not billed: nothing counts. */
export interface ModelCost {
  microCents: bigint;
  tokens: bigint;
  billed: boolean;
}

interface Reserved {
  rule: ModelRule;
  window: ModelWindow;
  need: bigint;
}

interface ModelHold {
  reserved: readonly Reserved[];
  state: "held" | "released" | "expired";
  settled: boolean;
}

/** A rule without counters. */
export function freshRule(rule: Pick<ModelRule, "unit" | "mode" | "limit">): ModelRule {
  return { ...rule, enabled: true, window: freshWindow(), past: [] };
}

function freshWindow(): ModelWindow {
  return { used: 0n, held: 0n, extra: 0n };
}

/** The limit of the present period; null: none. */
export function limitOf({ limit, exception, window }: ModelRule): bigint | null {
  const base = exception === undefined ? limit : exception;
  return base === null ? null : base + window.extra;
}

/** A simple sequential model of the counters of rules, without a database. Source: docs/budgets.md#batch. */
export class BudgetModel {
  readonly #holds = new Map<string, ModelHold>();
  readonly #strict: boolean;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  /** The rules that refuse the hold; none: it is made. Quotas are not part of the model. */
  hold(id: string, rules: readonly ModelRule[], needs: ModelNeeds): ModelRule[] {
    const counting = rules.filter(({ enabled }) => enabled);
    const refusing = counting.filter((rule) => this.#refuses(rule, needOf(rule, needs)));
    if (refusing.length > 0) return refusing;
    const reserved = counting.map((rule) => ({ rule, window: rule.window, need: needOf(rule, needs) }));
    for (const { window, need } of reserved) window.held += need;
    this.#holds.set(id, { reserved, state: "held", settled: false });
    return [];
  }

  /** What becomes of a settlement. */
  settle(id: string, cost: ModelCost): "settled" | "late" | "duplicate" {
    const hold = this.#holds.get(id);
    if (hold === undefined) throw new Error(`nothing is held for ${id}`);
    if (hold.settled) return "duplicate";
    const outcome = hold.state === "expired" ? "late" : "settled";
    hold.settled = true;
    this.end(id, "released");
    for (const { rule, window } of cost.billed ? hold.reserved : []) {
      window.used += rule.unit === "money" ? cost.microCents : rule.unit === "tokens" ? cost.tokens : 1n;
    }
    return outcome;
  }

  /** Ends a hold that nothing has ended. */
  end(id: string, state: "released" | "expired"): void {
    const hold = this.#holds.get(id);
    if (hold?.state !== "held") return;
    hold.state = state;
    for (const { window, need } of hold.reserved) window.held -= need;
  }

  /** The requests whose hold nothing has ended. */
  open(): string[] {
    return [...this.#holds].filter(([, { state }]) => state === "held").map(([id]) => id);
  }

  /** The next period of a rule begins. */
  turn(rule: ModelRule): void {
    rule.past.push(rule.window);
    rule.window = freshWindow();
  }

  #refuses(rule: ModelRule, need: bigint): boolean {
    const { used, held } = rule.window;
    const most = limitOf(rule);
    if (rule.mode === "warn" || most === null || used + held + need <= most) return false;
    return this.#strict || rule.mode === "hard" || held > 0n || used >= most;
  }
}

function needOf({ unit, mode }: ModelRule, needs: ModelNeeds): bigint {
  if (unit === "requests") return 1n;
  if (unit === "money") return mode === "hard" ? needs.mostMicroCents : needs.expectedMicroCents;
  return mode === "hard" ? needs.mostTokens : needs.expectedTokens;
}
