import { z } from "zod";
import { DAY_MS, SECOND_MS } from "@/lib/kernel/durations";
import { queryNumber } from "./fields";
import { moment } from "./moments";

/** GET /api/admin/reconcile. */
export const reconcileQuery = z.strictObject({
  /** The result of a reconciliation that began at most this long ago may be returned again. */
  maxAgeSeconds: queryNumber(0, DAY_MS / SECOND_MS).prefault("0"),
});

/** GET /api/admin/reconcile. Micro-cents as text. */
export const reconcileResponse = z.object({
  checkedAt: moment.describe("When the comparison began"),
  ok: z.boolean(),
  usedMicroCents: z.string(),
  ledgerMicroCents: z.string(),
  heldMicroCents: z.string(),
  openHolds: z.int(),
  mismatches: z.array(
    z.object({
      kind: z.string(),
      id: z.string(),
      counterMicroCents: z.string(),
      sumMicroCents: z.string(),
    }),
  ),
});
