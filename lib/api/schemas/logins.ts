import { z } from "zod";
import { characters, must } from "./fields";

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

/** The answer to that request, the only one that contains the token itself. */
export const createTokenResponse = z.object({ login: loginRecord, token: z.string() });
