import { z } from "zod";
import { atMost, characters, claimedPassword, displayName, email, password, username } from "./fields";
import { ownProfile } from "./profile";

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

/** A bearer token. */
export const issuedToken = z.object({ token: z.string(), expiresAt: z.iso.datetime() });

/** The answer of register and login. */
export const loginResponse = issuedToken.extend({ user: ownProfile });
