import { z } from "zod";

const cents = z.string().describe("Cents as decimal text");

/** Settings that admins change at run time, and the values that follow from them and the environment. */
export const settingsRecord = z.object({
  inviteRewardCents: z.number(),
  signupQuotaCents: z.number().describe("What a new account may spend"),
  openRegistration: z
    .object({
      quotaCents: z.number(),
      rewardCents: z.number(),
      accountsPerHour: z.number().describe("Of one address"),
      centsPerHour: cents.describe("Cents that these accounts may spend"),
      lastRequestCents: cents.describe("Cents that the last request of each may cost beyond its quota"),
    })
    .nullable()
    .describe("What strangers may do; null when none can register or no node costs money"),
});
