import { z } from "zod";
import { moment } from "./moments";

export const callPoint = z.object({
  bucketStart: moment,
  attemptCount: z.int(),
  failureCount: z.int(),
  averageLatencyMs: z.int().nullable(),
});
