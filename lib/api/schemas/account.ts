import { z } from "zod";
import { atMost, characters, claimedPassword, displayName, email, password, username } from "./fields";

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
  held: wholeText.describe("Cents reserved by running requests, rounded up"),
  requestCount: wholeText,
  inviteCode: z.string(),
  planId: z.int(),
  createdAt: z.iso.datetime(),
});

/** A bearer token. */
export const issuedToken = z.object({ token: z.string(), expiresAt: z.iso.datetime() });

/** The answer of register and login. */
export const loginResponse = issuedToken.extend({ user: profile });

/** PATCH /api/user/self. Source: docs/spec.md#s4-11. */
export const updateSelfRequest = z.strictObject({ name: displayName.optional(), email: email.optional() });

/** DELETE /api/user/self. */
export const deleteSelfRequest = z.strictObject({ password: claimedPassword });

/** POST /api/user/self/password. */
export const changePasswordRequest = z.strictObject({
  currentPassword: claimedPassword,
  newPassword: password,
});
