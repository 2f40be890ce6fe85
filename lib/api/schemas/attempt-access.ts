import { z } from "zod";

/** What admins see of an attempt whose node's credential gave no access. Source: docs/clouds.md#failures. */
export const attemptAccess = z
  .object({ code: z.string(), principal: z.string().nullable() })
  .optional()
  .describe("Why there was no access with the node's credential, and whose it is");
