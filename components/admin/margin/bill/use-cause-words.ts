import type { Cause } from "@/lib/shared/provider-bills/bill-causes";
import { fill } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";

/** The likely cause of a difference, in the reader's language. */
export function useCauseWords(currency: string | null): (cause: Cause) => string {
  const { causes } = useMessages("providerBill");
  const format = useFormat();
  return (cause) => {
    switch (cause.kind) {
      case "dayEdge":
        return fill(causes.dayEdge, { from: cause.from, to: cause.to });
      case "price":
        return fill(causes.price, { theirs: format.money(cause.theirs), ours: format.money(cause.ours) });
      case "tokens": {
        const words = cause.more === "there" ? causes.tokensThere : causes.tokensHere;
        return fill(words, { count: format.countFull(cause.tokens) });
      }
      case "currency":
        return fill(causes.currency, { currency: currency ?? "" });
      default:
        return causes[cause.kind];
    }
  };
}
