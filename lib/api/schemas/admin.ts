import { z } from "zod";
import { accountLimits, modelEntry, nodeEntry, planEntry, priceEntry } from "@/lib/config/file-schema";
import { DAY_MS, SECOND_MS } from "@/lib/kernel/durations";
import { MAX_CENTS } from "@/lib/kernel/usage";
import { modelKinds } from "@/lib/protocols/protocol";
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
  queryFlag,
  queryNumber,
  registration,
  startMoment,
  untilMoment,
  webAddress,
  whole,
} from "./fields";

/** Of a change of several, whose answer waits for all of them. */
const MAX_AT_ONCE = 100;

const role = z.enum(["user", "admin"], must("must be user or admin"));
const limitOverrides = accountLimits
  .nullable()
  .describe("Limits of the account over all its keys; what is absent is as its plan says, null is no limit");

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

const upstreamModel = characters(1, 256).describe("The upstream model");

/** Why a node did not do what it was asked for, as far as its answer or its silence says. */
const nodeProblems = [
  "address",
  "unreachable",
  "closed",
  "private",
  "certificate",
  "timeout",
  "credential",
  "forbidden",
  "credit",
  "limited",
  "missing",
  "page",
  "redirect",
  "server",
  "refused",
  "broken",
] as const;

/** What one exchange with a node came to. Units: milliseconds. */
const nodeExchange = z.object({
  problem: z.enum(nodeProblems).nullable().describe("Null: the node answered as it should"),
  status: z.int().nullable().describe("Null: no response"),
  headersMs: z.int().nullable(),
  totalMs: z.int(),
  error: z.string().nullable().describe("The error message, without secrets"),
});

/** POST /api/admin/nodes/{id}/test: the answer. */
export const nodeTestResult = nodeExchange.extend({
  ok: z.boolean(),
  upstreamModel: z.string(),
  kind: z.enum(modelKinds).describe("What the model was asked for"),
  streamed: z.boolean().describe("It answered with a stream: it gives no whole answer"),
  sample: z.string().nullable(),
  dimensions: z.int().nullable().describe("The numbers of the embedding; null for any other answer"),
});

/** GET /api/admin/nodes/{id}/models. */
export const nodeModels = nodeExchange.extend({
  models: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      kind: z.enum(modelKinds).describe("As the entry says, else by its id"),
      contextWindow: z.int().nullable().describe("Null: the list does not tell"),
    }),
  ),
  truncated: z.boolean().describe("The node has more models than are listed here"),
});

/** POST /api/admin/nodes/test: the answer. */
export const draftTestResult = nodeModels.extend({
  reachable: z.boolean(),
  authenticated: z
    .boolean()
    .nullable()
    .describe("Whether the node takes the key; null: not known, because it answers without one too"),
  test: nodeTestResult.nullable().describe("Null: no model was named, or the node is out of reach"),
});

const testedKind = z
  .enum(modelKinds, must("must be generation or embedding"))
  .describe("What to ask the model for; without it the models that the node serves decide, else the name");

/** POST /api/admin/nodes/{id}/test. */
export const nodeTestRequest = z.strictObject({ model: upstreamModel, kind: testedKind.optional() });

/** POST /api/admin/nodes/test. */
export const draftTestRequest = nodeEntry.omit({ name: true, enabled: true, maxConcurrency: true }).extend({
  nodeId: atMost(100).describe("Whose stored fields and stored key stand in for those that are absent"),
  model: upstreamModel,
  kind: testedKind,
});

/** POST /api/admin/models/batch. */
export const modelsRequest = z.strictObject({ models: z.array(modelEntry).min(1).max(100) });

/** PATCH /api/admin/models. Units: the factor is of the prices in force. */
export const updateModelsRequest = z.strictObject({
  ids: z
    .array(characters(1, 100), must("must be a list of ids of models"))
    .min(1, "must name at least one model")
    .max(MAX_AT_ONCE, `must name at most ${MAX_AT_ONCE} models`),
  enabled: z.boolean(must("must be true or false")).optional(),
  priceFactor: z
    .number(must("must be a number"))
    .min(0.01, "must be at least 0.01")
    .max(100, "must be at most 100")
    .multipleOf(0.0001, "must have at most 4 decimals")
    .optional()
    .describe("A new price version of each model: every price in force times this"),
  validFrom: startMoment.optional().describe("From when on, with `priceFactor`; without it at once"),
});

/** The filters of accounts. */
const userFilter = z.object({
  search: atMost(100)
    .optional()
    .describe("Part of a username, display name or e-mail, or the prefix of a key"),
  role: z.enum(["user", "admin"], "must be user or admin").optional(),
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
export const createUserRequest = registerRequest
  .omit({ inviteCode: true })
  .extend({ role: role.optional(), planId: planId.optional(), quota: cents.optional() });

/** What can be changed of several accounts. */
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
});

/** POST /api/admin/users/{id}/grants. */
export const grantRequest = z.strictObject({
  amount: whole(-MAX_CENTS, MAX_CENTS)
    .refine((amount) => amount !== 0, "must not be 0")
    .meta({ anyOf: [{ maximum: -1 }, { minimum: 1 }], description: "Cents; negative takes away, never 0" }),
  reason: characters(1, 200),
});

/** The accounts of a change of several. */
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

/** GET /api/admin/audit/export. */
export const auditExportQuery = z.object({
  from: startMoment.optional(),
  to: untilMoment.optional(),
  accountId: atMost(100)
    .optional()
    .describe("What this account or one of its keys did, or what was done to them"),
  actorId: atMost(100).optional(),
  action: atMost(100).optional(),
  newStatus: z
    .enum(["active", "suspended"], must("must be active or suspended"))
    .optional()
    .describe("Only changes that suspended an account, or reactivated it"),
  targetType: atMost(100).optional(),
  targetId: atMost(200).optional(),
  batchId: atMost(100).optional().describe("Of one change of several accounts"),
  search: atMost(200)
    .optional()
    .describe("In the name or id of the target or actor, or in a value of the record before or after"),
});

/** GET /api/admin/audit. */
export const auditQuery = pageQuery.extend(auditExportQuery.shape).extend({
  grouped: queryFlag
    .optional()
    .describe("Only the newest entry of each change of several accounts, with `batchCount`"),
});

/** GET /api/admin/reconcile. */
export const reconcileQuery = z.strictObject({
  /** An answer that began at most this long ago may be given again. */
  maxAgeSeconds: queryNumber(0, DAY_MS / SECOND_MS).prefault("0"),
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

const assume = z.record(
  z.string(),
  z.enum(assumedStates, must(`must be one of ${assumedStates.join(", ")}`)),
);

/** POST /api/admin/rehearsal. */
export const rehearsalRequest = z.strictObject({ model: characters(1, 200), assume: assume.default({}) });

/** POST /api/admin/rehearsal/models. */
export const modelsRehearsalRequest = z.strictObject({ assume });

/** PATCH /api/admin/settings. */
export const settingsRequest = z.strictObject({
  inviteRewardCents: cents,
  statusPage: z.boolean(must("must be true or false")),
  registration,
  newAccountQuotaCents: cents.nullable().describe("Null: as it follows from the environment"),
  newAccountPlanId: planId.nullable().describe("Null: the first self-service plan"),
  contact: characters(1, 200)
    .nullable()
    .describe("How users reach the admins: a text, an e-mail address or an https link; null: not told"),
  name: characters(1, 40)
    .refine((text) => text.trim() !== "", "must not be blank")
    .meta({ pattern: "\\S" })
    .nullable()
    .describe("What pages call this gateway; null: Tollgate"),
  alertUrl: webAddress.nullable().describe("Where alerts are posted; null: nowhere"),
});
