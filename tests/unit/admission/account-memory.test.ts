import { MemoryLimiter } from "@/lib/admission/memory";
import { accountSuite } from "./account-suite";

accountSuite("limits of accounts in memory", async (clock) => new MemoryLimiter(clock.now), {
  traces: 2_000,
});
