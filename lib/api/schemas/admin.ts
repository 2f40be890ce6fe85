import { z } from "zod";
import { nodeEntry, planEntry, priceEntry } from "@/lib/config/file-schema";
import { MAX_CENTS } from "@/lib/kernel/usage";
import { registerRequest } from "./account";
import {
  atMost,
  cents,
  characters,
  displayName,
  email,
  must,
  pageQuery,
  password,
  planId,
  queryNumber,
  startMoment,
  untilMoment,
  whole,
} from "./fields";

const role = z.enum(["user", "admin"], must("must be user or admin"));
const limit = whole(1, 2_000_000_000).nullable();
const limitOverrides = z.strictObject({ qps: limit, rpm: limit, tpm: limit }).partial().nullable();

/** POST and PATCH /api/admin/nodes; bodies use the names of `tollgate.yaml`. */
export const nodeRequest = nodeEntry;

/** POST /api/admin/plans; without an id it gets the next one. */
export const createPlanRequest = planEntry.partial({ id: true });

/** PATCH /api/admin/plans/{id}. */
export const updatePlanRequest = planEntry.omit({ id: true });

/** POST /api/admin/prices. */
export const priceRequest = priceEntry.extend({
  model: characters(1, 128),
  validFrom: startMoment.optional(),
});

/** GET /api/admin/prices. */
export const pricesQuery = z.object({ model: atMost(200).optional() });

/** POST /api/admin/nodes/{id}/test. */
export const nodeTestRequest = z.strictObject({ model: characters(1, 256).describe("The upstream model") });

/** GET /api/admin/users. */
export const usersQuery = pageQuery.extend({
  search: atMost(100).optional(),
  role: z.enum(["user", "admin"], "must be user or admin").optional(),
  status: z.enum(["active", "suspended", "deleted"], "must be active, suspended or deleted").optional(),
  planId: queryNumber(0, 2_147_483_647).optional(),
});

/** POST /api/admin/users. */
export const createUserRequest = registerRequest
  .omit({ inviteCode: true })
  .extend({ role: role.optional(), planId: planId.optional(), quota: cents.optional() });

/** PATCH /api/admin/users/{id}. */
export const updateUserRequest = z.strictObject({
  name: displayName.optional(),
  email: email.optional(),
  role: role.optional(),
  status: z.enum(["active", "suspended"], must("must be active or suspended")).optional(),
  planId: planId.optional(),
  quota: cents.optional(),
  limitOverrides: limitOverrides.optional(),
});

/** POST /api/admin/users/{id}/grants. */
export const grantRequest = z.strictObject({
  amount: whole(-MAX_CENTS, MAX_CENTS)
    .refine((amount) => amount !== 0, "must not be 0")
    .meta({ anyOf: [{ maximum: -1 }, { minimum: 1 }], description: "Cents; negative takes away, never 0" }),
  reason: characters(1, 200),
});

/** POST /api/admin/users/{id}/password; without a password a random one is made. */
export const resetPasswordRequest = z.strictObject({ newPassword: password.optional() });

/** GET /api/admin/audit. */
export const auditQuery = pageQuery.extend({
  from: startMoment.optional(),
  to: untilMoment.optional(),
  actorId: atMost(100).optional(),
  action: atMost(100).optional(),
  targetType: atMost(100).optional(),
  targetId: atMost(200).optional(),
});

/** States that a rehearsal can assume for a node: known states, or faults that the router has not detected. */
const assumedStates = [
  "healthy",
  "ejected",
  "cooling",
  "half-open",
  "busy",
  "down",
  "failing",
  "slow",
  "limited",
  "refused",
] as const;

/** POST /api/admin/rehearsal. */
export const rehearsalRequest = z.strictObject({
  model: characters(1, 200),
  assume: z
    .record(z.string(), z.enum(assumedStates, must(`must be one of ${assumedStates.join(", ")}`)))
    .default({}),
});

/** PATCH /api/admin/settings. */
export const settingsRequest = z.strictObject({ inviteRewardCents: cents });
