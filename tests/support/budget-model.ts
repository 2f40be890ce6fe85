/** A rule of the model. Units: micro-cents, tokens or requests. */
export interface ModelRule {
  unit: "money" | "tokens" | "requests";
  mode: "stop" | "hard" | "warn";
  limit: bigint;
  extra: bigint;
  enabled: boolean;
  used: bigint;
  held: bigint;
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

interface ModelHold {
  rules: readonly ModelRule[];
  needs: ModelNeeds;
  open: boolean;
}

/** A simple sequential model of the counters of rules, without a database. Source: docs/budgets.md#batch. */
export class BudgetModel {
  readonly #holds = new Map<string, ModelHold>();

  /** The rules that refuse the hold; none: it is made. Quotas are not part of the model. */
  hold(id: string, rules: readonly ModelRule[], needs: ModelNeeds): ModelRule[] {
    const counting = rules.filter(({ enabled }) => enabled);
    const refusing = counting.filter((rule) => refuses(rule, needOf(rule, needs)));
    if (refusing.length > 0) return refusing;
    for (const rule of counting) rule.held += needOf(rule, needs);
    this.#holds.set(id, { rules: counting, needs, open: true });
    return [];
  }

  settle(id: string, cost: ModelCost): void {
    const hold = this.#holds.get(id);
    this.#giveBack(id);
    if (!cost.billed) return;
    for (const rule of hold?.rules ?? []) {
      rule.used += rule.unit === "money" ? cost.microCents : rule.unit === "tokens" ? cost.tokens : 1n;
    }
  }

  /** A release or an expiry. */
  end(id: string): void {
    this.#giveBack(id);
  }

  #giveBack(id: string): void {
    const hold = this.#holds.get(id);
    if (hold === undefined || !hold.open) return;
    hold.open = false;
    for (const rule of hold.rules) rule.held -= needOf(rule, hold.needs);
  }
}

function needOf({ unit, mode }: ModelRule, needs: ModelNeeds): bigint {
  if (unit === "requests") return 1n;
  if (unit === "money") return mode === "hard" ? needs.mostMicroCents : needs.expectedMicroCents;
  return mode === "hard" ? needs.mostTokens : needs.expectedTokens;
}

function refuses({ mode, limit, extra, used, held }: ModelRule, need: bigint): boolean {
  const most = limit + extra;
  if (mode === "warn" || used + held + need <= most) return false;
  return !(mode === "stop" && held === 0n && used < most);
}
