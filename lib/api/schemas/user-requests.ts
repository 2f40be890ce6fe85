import { z } from "zod";
import { accountLimits } from "@/lib/config/file-schema";
import { MAX_CENTS } from "@/lib/kernel/money";
import { userRoles } from "@/lib/shared/user-roles";
import {
  atMost,
  cents,
  characters,
  displayName,
  email,
  must,
  password,
  planId,
  queryNumber,
  whole,
} from "./fields";
import { MAX_AT_ONCE } from "./model-requests";
import { pageQuery } from "./pages";
import { costCentre } from "./projects";
import { registerRequest } from "./sign-in";

const role = z.enum(userRoles, must("must be user, reader or admin"));

const limitOverrides = accountLimits
  .nullable()
  .describe("Limits of the account over all its keys; what is absent is as its plan says, null is no limit");

/** The filters of accounts. */
const userFilter = z.object({
  search: atMost(100)
    .optional()
    .describe("Part of a username, display name or e-mail, or the prefix of a key"),
  role: z.enum(userRoles, "must be user, reader or admin").optional(),
  status: z
    .enum(["active", "suspended", "deleted", "current"], "must be active, suspended, deleted or current")
    .optional()
    .describe("`current`: not deleted"),
  planId: queryNumber(0, 2_147_483_647).optional(),
  quota: z
    .enum(["low", "empty"], "must be low or empty")
    .optional()
    .describe("`low`: at most a tenth of the quota is left; `empty`: nothing is"),
});

const userSort = z.enum(
  ["createdAt", "username", "used", "billed30d", "remaining", "lastActiveAt"],
  "must be createdAt, username, used, billed30d, remaining or lastActiveAt",
);

const sortOrder = z.enum(["asc", "desc"], "must be asc or desc");

/** GET /api/admin/users. */
export const usersQuery = pageQuery.extend({
  ...userFilter.shape,
  sort: userSort.prefault("createdAt"),
  order: sortOrder.prefault("desc"),
});

/** GET /api/admin/users/export. */
export const usersExportQuery = userFilter.extend({
  sort: userSort.prefault("username"),
  order: sortOrder.prefault("asc"),
  columns: atMost(400).optional().describe("Names of columns, separated by commas; all without it"),
});

/** POST /api/admin/users. */
export const createUserRequest = registerRequest.omit({ inviteCode: true }).extend({
  role: role.optional(),
  planId: planId.optional(),
  quota: cents.optional(),
  costCentre: costCentre.optional(),
});

/** The fields that can be changed for several accounts at once. */
const sharedChange = z.strictObject({
  status: z.enum(["active", "suspended"], must("must be active or suspended")).optional(),
  reason: characters(1, 200)
    .optional()
    .describe("Why it is suspended, for admins; with the status suspended only"),
  planId: planId.optional(),
});

/** PATCH /api/admin/users/{id}. */
export const updateUserRequest = sharedChange.extend({
  name: displayName.optional(),
  email: email.optional(),
  role: role.optional(),
  quota: cents.optional(),
  limitOverrides: limitOverrides.optional(),
  costCentre: costCentre.optional(),
});

/** POST /api/admin/users/{id}/grants. */
export const grantRequest = z.strictObject({
  amount: whole(-MAX_CENTS, MAX_CENTS)
    .refine((amount) => amount !== 0, "must not be 0")
    .meta({ anyOf: [{ maximum: -1 }, { minimum: 1 }], description: "Cents; negative takes away, never 0" }),
  reason: characters(1, 200),
});

/** The ids of a change of several accounts. */
const userIds = z
  .array(characters(1, 100), must("must be a list of ids of accounts"))
  .min(1, "must name at least one account")
  .max(MAX_AT_ONCE, `must name at most ${MAX_AT_ONCE} accounts`);

/** PATCH /api/admin/users. */
export const updateUsersRequest = sharedChange.extend({ ids: userIds });

/** POST /api/admin/users/grants. */
export const grantUsersRequest = grantRequest.extend({ ids: userIds });

/** POST /api/admin/users/{id}/password; without a password a random one is made. */
export const resetPasswordRequest = z.strictObject({ newPassword: password.optional() });
