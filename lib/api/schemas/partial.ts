import { z } from "zod";

export const partial = z
  .boolean()
  .describe("Usage began to be recorded within the period before, after its first tenth");
