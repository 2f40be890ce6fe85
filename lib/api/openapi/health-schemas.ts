import { z } from "zod";

/** GET /api/health/live. */
export const liveAnswer = z.object({ status: z.literal("ok") });

/** GET /api/health/ready. */
export const readyAnswer = z.object({
  status: z.enum(["ready", "not ready"]),
  problems: z.array(z.string()),
  degraded: z.array(z.string()),
});
