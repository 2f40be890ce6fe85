import { z } from "zod";
import { moment } from "./moments";

/** The requests of the log over time. Source: docs/contract.md#log-volume. */
export const logVolume = z.object({
  bucket: z.enum(["hour", "day"]),
  timezone: z.string(),
  to: moment.describe("Now: the end of the last bucket"),
  buckets: z.array(
    z.object({
      bucketStart: moment,
      requestCount: z.int(),
      failedCount: z.int(),
      refusedCount: z.int(),
    }),
  ),
});
