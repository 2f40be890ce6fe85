import { wholeList } from "@/lib/accounts/page";
import {
  createModel,
  createModels,
  deleteModel,
  findModel,
  listModels,
  updateModel,
} from "@/lib/admin/models";
import { createPlan, deletePlan, findPlan, listPlansWithUse, updatePlan } from "@/lib/admin/plans";
import { addPrice, listPrices, refusePast, scalePrices, withdrawPrice } from "@/lib/admin/prices";
import { configChanged } from "@/lib/api/announce-changes";
import { listOf } from "@/lib/api/schemas/list-of";
import { adminModelRecord } from "@/lib/api/schemas/model-records";
import { modelsRequest, updateModelsRequest } from "@/lib/api/schemas/model-requests";
import {
  adminPlanRecord,
  adminPlanView,
  createPlanRequest,
  updatePlanRequest,
} from "@/lib/api/schemas/plans";
import { listedPrice, priceRecord, priceRequest, pricesQuery } from "@/lib/api/schemas/prices";
import { outcomes } from "@/lib/api/schemas/user-records";
import { modelEntry } from "@/lib/config/file-schema";
import { runtime } from "@/lib/gateway/runtime";
import { badField } from "@/lib/kernel/errors";
import { defineOperation } from "../operation";
import { changeEach } from "./users";

const shared = { tag: "Admin: gateway", caller: "admin" } as const;
const onlyGiven = "Only what is given changes. What the configuration file declares is read-only here (409).";
const changing = ["INVALID_REQUEST", "NOT_FOUND", "CONFLICT"] as const;

const model = {
  alias: "gpt-main",
  prices: { input: 900, output: 7200 },
  routes: [{ node: "openai-main", model: "gpt-5.2", priority: 0, weight: 100 }],
};
const plan = { name: "Team", qps: 20, rpm: 300, tpm: 500000, keyQuotaCents: 2000, selfService: false };

/** Models with their routes, and price versions, which are never changed. Source: docs/contract.md#s3, #s5. */
export const modelOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/models",
      id: "listAdminModels",
      summary: "List the models",
      success: { status: 200, description: "All models", schema: listOf(adminModelRecord) },
    },
    async () => wholeList(await listModels(runtime().db)),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/models",
      id: "createAdminModel",
      summary: "Add a model",
      body: { schema: modelEntry, example: model },
      success: { status: 201, description: "The model", schema: adminModelRecord },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    async ({ actor, body }) => {
      const made = await createModel(runtime().db, actor, body);
      await configChanged();
      return made;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/models/batch",
      id: "createAdminModels",
      summary: "Add several models, or none of them",
      description: "Fields of errors begin with `models.<index>`.",
      body: { schema: modelsRequest, example: { models: [model] } },
      success: { status: 201, description: "The models", schema: listOf(adminModelRecord) },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    async ({ actor, body }) => {
      const made = await createModels(runtime().db, actor, body.models);
      await configChanged();
      return wholeList(made);
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/models",
      id: "updateAdminModels",
      summary: "Switch several models on or off, or scale their prices",
      description:
        "Each model is changed on its own: the answer tells of each whether it is done, and one that is refused stays as it was. With the reason `outcome_unknown` nobody knows: look before you repeat it.",
      body: {
        schema: updateModelsRequest,
        example: { ids: ["7b0f8f9e-1111-4222-8333-444455556666"], priceFactor: 1.1 },
      },
      success: { status: 200, description: "What became of each model", schema: outcomes },
      errors: ["INVALID_REQUEST"],
    },
    async ({ actor, body: { ids, enabled, priceFactor, validFrom } }) => {
      if ((enabled === undefined) === (priceFactor === undefined))
        throw badField("body", "must have either `enabled` or `priceFactor`");
      const { db, clock } = runtime();
      if (validFrom !== undefined && priceFactor === undefined)
        throw badField("validFrom", "needs `priceFactor`");
      refusePast(validFrom, clock.date());
      const answer = await changeEach(actor, ids, (batch, id) =>
        priceFactor === undefined
          ? updateModel(db, batch, id, { enabled })
          : scalePrices(db, batch, id, { factor: priceFactor, validFrom }),
      );
      await configChanged();
      return answer;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/models/{id}",
      id: "getAdminModel",
      summary: "Show a model",
      success: { status: 200, description: "The model", schema: adminModelRecord },
      errors: ["NOT_FOUND"],
    },
    ({ params }) => findModel(runtime().db, params.id),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/models/{id}",
      id: "updateAdminModel",
      summary: "Change a model",
      description: onlyGiven,
      body: { schema: modelEntry, example: { routes: model.routes }, partial: true },
      success: { status: 200, description: "The model", schema: adminModelRecord },
      errors: changing,
    },
    async ({ actor, params, body }) => {
      const changed = await updateModel(runtime().db, actor, params.id, body);
      await configChanged();
      return changed;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "delete",
      path: "/api/admin/models/{id}",
      id: "deleteAdminModel",
      summary: "Delete a model",
      success: { status: 204, description: "Deleted" },
      errors: ["NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, params }) => {
      await deleteModel(runtime().db, actor, params.id);
      await configChanged();
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/prices",
      id: "listPrices",
      reader: true,
      summary: "List price versions, the last to come into force first",
      query: pricesQuery,
      success: { status: 200, description: "Cents per million tokens", schema: listOf(listedPrice) },
      errors: ["INVALID_REQUEST"],
    },
    async ({ query }) => wholeList(await listPrices(runtime().db, query.model)),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/prices",
      id: "addPrice",
      summary: "Add a price version",
      description: "Older versions are never changed; requests already running keep theirs.",
      body: { schema: priceRequest, example: { model: "gpt-main", input: 900, output: 7200 } },
      success: { status: 201, description: "The version", schema: priceRecord },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    async ({ actor, body }) => {
      const { db, clock } = runtime();
      const price = await addPrice(db, actor, body, clock.date());
      await configChanged();
      return price;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "delete",
      path: "/api/admin/models/{id}/prices/{version}",
      id: "withdrawPrice",
      summary: "Withdraw a price version that is not yet in force",
      success: { status: 204, description: "Withdrawn" },
      errors: ["NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, params: { id, version } }) => {
      await withdrawPrice(runtime().db, actor, { modelId: id, version });
      await configChanged();
    },
  ),
];

/** Plans. Source: docs/contract.md#s3, #s5. */
export const planOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/plans",
      id: "listAdminPlans",
      reader: true,
      summary: "List the plans",
      success: { status: 200, description: "All plans", schema: listOf(adminPlanView) },
    },
    async () => wholeList(await listPlansWithUse(runtime().db)),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/plans",
      id: "createAdminPlan",
      summary: "Add a plan",
      body: { schema: createPlanRequest, example: plan },
      success: { status: 201, description: "The plan", schema: adminPlanRecord },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    async ({ actor, body }) => {
      const made = await createPlan(runtime().db, actor, body);
      await configChanged();
      return made;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/plans/{id}",
      id: "getAdminPlan",
      reader: true,
      summary: "Show a plan",
      success: { status: 200, description: "The plan", schema: adminPlanRecord },
      errors: ["NOT_FOUND"],
    },
    ({ params }) => findPlan(runtime().db, params.id),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/plans/{id}",
      id: "updateAdminPlan",
      summary: "Change a plan",
      description: onlyGiven,
      body: { schema: updatePlanRequest, example: { rpm: 600 }, partial: true },
      success: { status: 200, description: "The plan", schema: adminPlanRecord },
      errors: changing,
    },
    async ({ actor, params, body }) => {
      const changed = await updatePlan(runtime().db, actor, params.id, body);
      await configChanged();
      return changed;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "delete",
      path: "/api/admin/plans/{id}",
      id: "deleteAdminPlan",
      summary: "Delete a plan",
      success: { status: 204, description: "Deleted" },
      errors: ["NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, params }) => {
      await deletePlan(runtime().db, actor, params.id);
      await configChanged();
    },
  ),
];
