import { centsToYuan } from "@/lib/shared/decimal";
import type { Cause } from "@/lib/shared/provider-bills/bill-causes";
import type { ComparedRow } from "@/lib/shared/provider-bills/compare-bill";
import type { Messages } from "../../../i18n/messages";

/** The rows of a comparison as a file, with their heads; amounts have every digit. */
export function billFile(
  rows: readonly ComparedRow[],
  currency: string | null,
  text: Messages["providerBill"],
  wordsOf: (cause: Cause) => string,
): Array<Array<string | number>> {
  const { file, there, here, difference, amount } = text;
  const yuan = (cents: string | null | undefined) => (cents == null ? "" : centsToYuan(cents));
  return [
    [
      text.day,
      text.model,
      file.aliases,
      `${there}: ${file.input}`,
      `${there}: ${file.cached}`,
      `${there}: ${file.written}`,
      `${there}: ${file.output}`,
      `${here}: ${file.input}`,
      `${here}: ${file.output}`,
      `${difference}: ${text.tokens}`,
      `${there}: ${amount} ${currency ?? ""}`.trim(),
      `${there}: ${amount} CNY`,
      `${here}: ${amount} CNY`,
      `${difference}: ${amount} CNY`,
      text.cause,
    ],
    ...rows.map(({ day, model, aliases, theirs, ours, difference: more, cause }) => [
      day,
      model,
      aliases.join("; "),
      theirs?.inputTokens ?? "",
      theirs?.cachedInputTokens ?? "",
      theirs?.cacheWriteTokens ?? "",
      theirs?.outputTokens ?? "",
      ours?.inputTokens ?? "",
      ours?.outputTokens ?? "",
      more.tokens ?? "",
      theirs?.amount ?? "",
      yuan(theirs?.cents),
      yuan(ours?.cents),
      yuan(more.cents),
      wordsOf(cause),
    ]),
  ];
}
