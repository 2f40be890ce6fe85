import type { Ledger } from "@/lib/billing/ledger";
import type { HoldOutcome, HoldRequest, Settlement, SettleOutcome } from "@/lib/billing/settlement";
import type { Waiter } from "@/lib/kernel/waiter";

/** A ledger that accepts every hold and records nothing. */
export function withoutMoney(ledger: Ledger): Ledger {
  return new Proxy(ledger, {
    get(target, name) {
      if (name === "hold")
        return ({ amountMicroCents }: HoldRequest, waiter: Waiter<HoldOutcome>) =>
          waiter.resolve({ held: true, heldMicroCents: amountMicroCents });
      if (name === "settle")
        return (_settlement: Settlement, waiter: Waiter<SettleOutcome>) => waiter.resolve("settled");
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
