import { z } from "zod";
import { openRegistration, readSettings, signupQuotaCents, updateSettings } from "@/lib/admin/settings";
import { runtime } from "@/lib/gateway/runtime";
import { defineOperation } from "../operation";
import { settingsRequest } from "../schemas/admin";

const shared = { tag: "Admin: people", caller: "admin" } as const;

const cents = z.string().describe("Cents as decimal text");

/** Settings that admins change at run time, and the values that follow from them and the environment. */
const settingsRecord = z.object({
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

/** Settings that admins change at run time. Source: docs/contract.md#s4. */
export const settingsOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/settings",
      id: "getSettings",
      summary: "Show the settings that can be changed while running",
      success: { status: 200, description: "The settings", schema: settingsRecord },
    },
    () => settingsView(),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/settings",
      id: "updateSettings",
      summary: "Change the settings",
      body: { schema: settingsRequest, example: { inviteRewardCents: 100 } },
      success: { status: 200, description: "The settings", schema: settingsRecord },
      errors: ["INVALID_REQUEST"],
    },
    async ({ actor, body }) => {
      await updateSettings(runtime().db, actor, body);
      return settingsView();
    },
  ),
];

async function settingsView() {
  const { db, settings, catalog } = runtime();
  return {
    ...(await readSettings(db)),
    signupQuotaCents: signupQuotaCents(settings, catalog.current),
    openRegistration: await openRegistration(db, settings, catalog.current),
  };
}
