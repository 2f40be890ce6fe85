import type { Ledger } from "@/lib/billing/ledger";

/** A ledger that accepts every hold and records nothing. */
export function withoutMoney(ledger: Ledger): Ledger {
  return new Proxy(ledger, {
    get(target, name) {
      if (name === "hold")
        return async (hold: { amountMicroCents: bigint }) => ({
          held: true,
          heldMicroCents: hold.amountMicroCents,
        });
      if (name === "settle") return async () => "settled";
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
