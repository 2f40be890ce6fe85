import { z } from "zod";
import { refusalNames } from "@/lib/kernel/refusals";
import { moment } from "./moments";

/** A reason for which this process has refused something in the last hour. Source: docs/contract.md#refusals. */
export const refusalCount = z.object({
  reason: z.enum(refusalNames),
  count: z.int(),
  last: moment.describe("The newest one"),
});
