import { z } from "zod";
import { accountReasons } from "@/lib/kernel/errors";
import {
  accountLimitsShown,
  accountUse,
  atMost,
  cents,
  characters,
  claimedPassword,
  displayName,
  email,
  endMoment,
  limitUse,
  must,
  password,
  placesUse,
  planId,
  username,
  whole,
} from "./fields";

const wholeText = z.string().regex(/^-?\d+$/);

/** POST /api/user/register. Source: docs/spec.md#s4-4, docs/contract.md#s5. */
export const registerRequest = z.strictObject({
  username,
  password,
  email: email.optional(),
  name: displayName.optional(),
  inviteCode: characters(1, 64).optional(),
});

/** POST /api/user/login. Source: docs/spec.md#s4-5. */
export const loginRequest = z.strictObject({
  username: atMost(200)
    .refine((text) => text !== "", "is required")
    .meta({ minLength: 1 }),
  password: claimedPassword,
});

/** GET /api/user/self. Source: docs/spec.md#s2-2, docs/contract.md#s4, #s5. */
export const profile = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(["user", "admin"]),
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

/** A bearer token. */
export const issuedToken = z.object({ token: z.string(), expiresAt: z.iso.datetime() });

/** The answer of register and login. */
export const loginResponse = issuedToken.extend({ user: ownProfile });

/** PATCH /api/user/self. Source: docs/spec.md#s4-11. */
export const updateSelfRequest = z.strictObject({ name: displayName.optional(), email: email.optional() });

/** DELETE /api/user/self. */
export const deleteSelfRequest = z.strictObject({ password: claimedPassword });

/** POST /api/user/self/password. */
export const changePasswordRequest = z.strictObject({
  currentPassword: claimedPassword,
  newPassword: password,
});

/** A sign-in of the caller, or one of its tokens for scripts. Source: docs/contract.md#logins. */
export const loginRecord = z.object({
  id: z.string(),
  kind: z
    .enum(["browser", "login", "token"])
    .describe("A browser session; a token of register, login or a new password; a token for scripts"),
  name: z.string().nullable().describe("Of a token for scripts; null: it has none"),
  client: z.string().describe("The user agent that signed in, at most 200 characters"),
  ip: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe("Up to five minutes old; null: not used yet"),
  expiresAt: z.iso.datetime(),
  current: z.boolean().describe("That of this call"),
});

/** POST /api/user/logins. */
export const createTokenRequest = z.strictObject({
  name: characters(1, 60)
    .refine((text) => text.trim() !== "", "must not be blank")
    .meta({ pattern: "\\S" }),
  expiresInDays: z.literal([1, 7, 30, 90], must("must be 1, 7, 30 or 90")),
});

/** Its answer, the only one that contains the token itself. */
export const createTokenResponse = z.object({ login: loginRecord, token: z.string() });

const MAX_MODELS = 200;

const keyName = characters(1, 100)
  .refine((text) => text.trim() !== "", "must not be blank")
  .meta({ pattern: "\\S" });
const keyModels = z
  .array(characters(1, 200), must("must be a list of model aliases, or null for all"))
  .min(1, "must name at least one model; null means all")
  .max(MAX_MODELS, `must name at most ${MAX_MODELS} models`)
  .nullable();
const keyExpiry = endMoment.nullable().describe("In the future; a date means its end in UTC. Null: never");

/** POST /api/user/tokens. Source: docs/spec.md#s4-7, docs/contract.md#s5. */
export const createKeyRequest = z.strictObject({
  name: keyName,
  planId: planId.optional(),
  quota: cents.optional(),
  models: keyModels.optional(),
  expiresAt: keyExpiry.optional(),
});

/** PATCH /api/user/tokens/{id}. Source: docs/spec.md#s4-8, docs/contract.md#s5. */
export const updateKeyRequest = z.strictObject({
  name: keyName.optional(),
  status: z.enum(["active", "disabled"], must("must be active or disabled")).optional(),
  quota: cents.optional(),
  models: keyModels.optional(),
  expiresAt: keyExpiry.optional(),
  planId: planId.optional(),
});

/** A key in lists. Money in cents with up to 6 decimals. Source: docs/spec.md#s2-1, docs/contract.md#s5. */
export const keyRecord = z.object({
  id: z.string(),
  keyPrefix: z.string(),
  name: z.string(),
  status: z.enum(["active", "disabled"]),
  blocked: z.boolean().describe("Disabled by an admin, who alone can enable it again"),
  quota: z.number(),
  usedQuota: z.number(),
  held: z.number(),
  planId: z.int(),
  models: z.array(z.string()).nullable(),
  expiresAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});

/** The response of creating a key, the only one that contains the key itself. */
export const createKeyResponse = z.object({ apiKey: keyRecord, key: z.string() });

/** GET /api/user/console-key. */
export const consoleKeyRecord = z.object({ apiKey: keyRecord.nullable() });

/** GET /api/user/tokens/{id}/limits. */
export const keyLimits = z.object({
  plan: z.object({ id: z.int(), name: z.string() }),
  qps: limitUse,
  rpm: limitUse,
  tpm: limitUse,
  concurrent: placesUse.optional().describe("Calls at once; absent: not limited"),
  account: accountUse,
});

/** An account as admins see it. */
export const adminUserRecord = profile.extend({
  suspension: z
    .object({ since: z.iso.datetime().nullable().describe("Null: not known"), reason: z.string() })
    .nullable()
    .describe("Null: not suspended"),
  limitOverrides: z
    .object(accountLimitsShown.shape)
    .partial()
    .nullable()
    .describe("The account's own limits; what is absent is as its plan says"),
  invitedBy: z.string().nullable(),
  deletedAt: z.iso.datetime().nullable(),
});

/** An account on its own. */
export const adminUserView = adminUserRecord.extend({
  lastActiveAt: z.iso.datetime().nullable().describe("The last use of any of its keys"),
  keyPlanIds: z.array(z.int()).describe("The plans of its keys, each once"),
  keyCount: z.int().describe("Its keys, without deleted ones and the console key"),
  accountLimits: accountLimitsShown,
});

/** An account in a list. */
export const adminUserListed = adminUserView.extend({
  billed30d: z.string().describe("What it was billed in the last 30 days, today included: exact cents"),
});

/** PATCH of several accounts or models, POST /api/admin/users/grants: what became of each, each once. */
export const outcomes = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      error: z
        .object({
          code: z.string(),
          message: z.string(),
          reason: z
            .enum(accountReasons)
            .optional()
            .describe("Why, when the code does not say it; `outcome_unknown`: it may be done nevertheless"),
        })
        .nullable()
        .describe("Null: done; else, unless the reason is `outcome_unknown`, it is as it was"),
    }),
  ),
});

/** POST /api/admin/users/{id}/grants. */
export const grantResponse = z.object({
  grant: z.object({
    id: z.string(),
    type: z.enum(["signup", "grant", "adjustment", "invite"]),
    amount: z.string().describe("Cents as exact decimal text"),
    reason: z.string(),
    createdAt: z.iso.datetime(),
  }),
  user: adminUserRecord,
});

/** POST /api/admin/users/{id}/password: the only answer that shows it. */
export const resetPasswordResponse = z.object({ password: z.string() });

/** POST /api/admin/invitations. Source: docs/contract.md#invitations. */
export const invitationRequest = z.strictObject({
  note: characters(0, 100).default("").describe("For admins: whom or what it is for"),
  maxUses: whole(1, 1_000).default(1).describe("How many accounts can be made with it"),
  expiresAt: endMoment.nullable().default(null).describe("Null: it does not expire"),
  planId: planId
    .nullable()
    .default(null)
    .describe("The plan of the accounts that come with it; null: that of every new account"),
  quotaCents: cents
    .nullable()
    .default(null)
    .describe("Their quota in whole cents; null: that of every new account"),
});

/** An invitation. */
export const invitationRecord = z.object({
  id: z.string(),
  code: z.string().describe("What `inviteCode` of a registration has to be"),
  note: z.string(),
  maxUses: z.int(),
  usedCount: z.int(),
  expiresAt: z.iso.datetime().nullable(),
  planId: z.int().nullable().describe("Null, also once the plan is deleted: that of every new account"),
  quotaCents: z.number().nullable().describe("Null: that of every new account"),
  createdAt: z.iso.datetime(),
});
