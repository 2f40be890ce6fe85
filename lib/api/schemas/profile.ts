import { z } from "zod";
import { userRoles } from "@/lib/shared/user-roles";
import { claimedPassword, displayName, email, password } from "./fields";
import { accountLimitsShown } from "./limit-use";

const wholeText = z.string().regex(/^-?\d+$/);

/** GET /api/user/self. Source: docs/spec.md#s2-2, docs/contract.md#s4, #s5. */
export const profile = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(userRoles),
  status: z.enum(["active", "suspended", "deleted"]),
  quota: wholeText.describe("Cents"),
  usedQuota: wholeText.describe("Cents, rounded up"),
  usedExact: z.string().describe("Cents used, as exact decimal text"),
  held: wholeText.describe("Cents reserved by running requests, rounded up"),
  heldExact: z.string().describe("Cents reserved, as exact decimal text"),
  requestCount: wholeText,
  inviteCode: z.string(),
  planId: z.int(),
  createdAt: z.iso.datetime(),
});

/** GET /api/user/self: with the limits of the account. Source: docs/contract.md#account-limits. */
export const ownProfile = profile.extend({ accountLimits: accountLimitsShown });

/** PATCH /api/user/self. Source: docs/spec.md#s4-11. */
export const updateSelfRequest = z.strictObject({ name: displayName.optional(), email: email.optional() });

/** DELETE /api/user/self. */
export const deleteSelfRequest = z.strictObject({ password: claimedPassword });

/** POST /api/user/self/password. */
export const changePasswordRequest = z.strictObject({
  currentPassword: claimedPassword,
  newPassword: password,
});
