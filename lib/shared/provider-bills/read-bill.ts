import { anthropicBills } from "./anthropic-bill";
import { azureBills } from "./azure-bill";
import { BillError, type BillProblem, type ProviderBill } from "./bill";
import type { BillFormat } from "./bill-format";
import { type BillSource, sourceOf } from "./bill-source";
import { openaiBills } from "./openai-bill";
import { openrouterBills } from "./openrouter-bill";
import { joinBills, sumBill } from "./sum-bill";

const formats: readonly BillFormat[] = [...openaiBills, ...anthropicBills, ...openrouterBills, ...azureBills];

/** So many unknown columns are named. */
const MOST_NAMED = 8;

/**
 * Reads exports of one vendor, each as CSV or JSON, as one. A problem tells by its place in which of the texts it is;
 * null: it is in all of them together. Source: docs/prices.md#bill-check.
 */
export function readBills(
  texts: readonly string[],
): { bill: ProviderBill } | { problem: BillProblem; at: number | null } {
  const bills: ProviderBill[] = [];
  for (const [at, text] of texts.entries()) {
    const read = attempt(() => readBill(text));
    if ("problem" in read) return { ...read, at };
    bills.push(read.bill);
  }
  const joined = attempt(() => joinBills(bills));
  return "problem" in joined ? { ...joined, at: null } : joined;
}

function attempt(read: () => ProviderBill): { bill: ProviderBill } | { problem: BillProblem } {
  try {
    return { bill: read() };
  } catch (error) {
    if (error instanceof BillError) return { problem: error.problem };
    throw error;
  }
}

/** Reads one export. Throws: BillError. */
function readBill(text: string): ProviderBill {
  const source = sourceOf(text);
  if (source.entries.length === 0) throw new BillError({ kind: "noRows" });
  const format = formatOf(source);
  const read = source.entries.map((entry) => format.read(entry)).filter((entry) => entry !== null);
  const entries = read.filter((entry) => entry !== "other");
  if (entries.length === 0) throw new BillError({ kind: "noRows" });
  return sumBill(format.vendor, entries, read.length - entries.length);
}

/** Throws: BillError for a source that no format fits. */
function formatOf({ names }: BillSource): BillFormat {
  const missingOf = ({ needs }: BillFormat) => needs.filter((some) => !some.some((name) => names.has(name)));
  const fitting = formats.find((format) => missingOf(format).length === 0);
  if (fitting !== undefined) return fitting;
  const [nearest] = [...formats].sort((a, b) => missingOf(a).length - missingOf(b).length);
  const missing = nearest === undefined ? [] : missingOf(nearest);
  if (nearest === undefined || missing.length > 1)
    throw new BillError({ kind: "unknown", found: [...names].slice(0, MOST_NAMED) });
  throw new BillError({
    kind: "missing",
    vendor: nearest.vendor,
    missing: missing.map(([first = ""]) => first),
  });
}
