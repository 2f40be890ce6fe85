import { accountLevelOf, accountLimitsOf, keyLimitsOf } from "@/lib/accounts/account-limits";
import { findConsoleKey, issueConsoleKey } from "@/lib/accounts/console-key";
import { requireOwnKey, requirePaidKey } from "@/lib/accounts/key-access";
import { findKeyBudgets } from "@/lib/accounts/key-budgets";
import { type KeyRow, keyRecordOf } from "@/lib/accounts/key-record";
import {
  accountOfKey,
  createKey,
  deleteKey,
  listKeys,
  listPaidKeys,
  planOfAccount,
  planOfKey,
  updateKey,
  updateKeyForAdmin,
} from "@/lib/accounts/keys";
import { type Actor, recordAudit, recordOwnAct } from "@/lib/admin/audit";
import { userById } from "@/lib/admin/user-records";
import { keyChanged } from "@/lib/api/announce-changes";
import {
  consoleKeyRecord,
  createKeyRequest,
  createKeyResponse,
  keyLimits,
  keyRecord,
  keysQuery,
  updateKeyRequest,
} from "@/lib/api/schemas/keys";
import { listOf } from "@/lib/api/schemas/list-of";
import { pageQuery } from "@/lib/api/schemas/pages";
import type { Orm } from "@/lib/db/database";
import { accountUseOf } from "@/lib/gateway/account-use";
import { budgetUseOf, ruleStatesOf } from "@/lib/gateway/budget-use";
import { runtime } from "@/lib/gateway/runtime";
import { defineOperation } from "../operation";

/** Keys of the caller, and of any account for admins. Source: docs/contract.md#s5. */
export const keyOperations = [
  defineOperation(
    {
      method: "get",
      path: "/api/user/tokens",
      id: "listKeys",
      tag: "API keys",
      caller: "account",
      summary: "List your keys",
      description: "Those of your account and those of projects that you may see, without the console key.",
      query: keysQuery,
      success: {
        status: 200,
        description: "A page of keys, never with their secret",
        schema: listOf(keyRecord),
      },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query }) => listKeys(runtime().db, user.id, query),
  ),
  defineOperation(
    {
      method: "post",
      path: "/api/user/tokens",
      id: "createKey",
      tag: "API keys",
      caller: "account",
      summary: "Create a key",
      description: "The only answer that holds the key itself.",
      body: {
        schema: createKeyRequest,
        example: { name: "build server", quota: 5000, models: ["demo-chat"] },
      },
      success: { status: 201, description: "The record and the key", schema: createKeyResponse },
      errors: ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND", "CONFLICT"],
    },
    async ({ user, actor, body }) => {
      const { db, clock } = runtime();
      return db.orm.transaction(async (tx) => {
        const made = await createKey(tx, user, body, clock.date());
        await recordOwnAct(tx, actor, "key.create", made.apiKey.id, made.apiKey);
        return made;
      });
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/tokens/{id}",
      id: "getKey",
      tag: "API keys",
      caller: "account",
      summary: "Show a key",
      success: { status: 200, description: "The key's record", schema: keyRecord },
      errors: ["NOT_FOUND"],
    },
    async ({ user, params }) => keyRecordOf(await requireOwnKey(runtime().db.orm, user.id, params.id)),
  ),
  defineOperation(
    {
      method: "patch",
      path: "/api/user/tokens/{id}",
      id: "updateKey",
      tag: "API keys",
      caller: "account",
      summary: "Change a key",
      description: "In force at once.",
      body: { schema: updateKeyRequest, example: { status: "disabled" } },
      success: { status: 200, description: "The key's record", schema: keyRecord },
      errors: ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND", "CONFLICT"],
    },
    ({ user, actor, params: { id }, body }) =>
      changeKey(
        "key.update",
        actor,
        (tx) => requireOwnKey(tx, user.id, id),
        (tx, now) => updateKey(tx, user, id, body, now),
      ),
  ),
  defineOperation(
    {
      method: "delete",
      path: "/api/user/tokens/{id}",
      id: "deleteKey",
      tag: "API keys",
      caller: "account",
      summary: "Delete a key",
      success: { status: 204, description: "Deleted; requests with it are refused at once" },
      errors: ["NOT_FOUND", "CONFLICT"],
    },
    async ({ user, actor, params: { id } }) => {
      await changeKey(
        "key.delete",
        actor,
        (tx) => requireOwnKey(tx, user.id, id),
        (tx, now) => deleteKey(tx, user.id, id, now),
      );
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/tokens/{id}/limits",
      id: "getKeyLimits",
      tag: "API keys",
      caller: "account",
      summary: "Show the live limits of a key",
      success: { status: 200, description: "Limit, use and time to reset", schema: keyLimits },
      errors: ["NOT_FOUND"],
    },
    async ({ user, params }) => {
      const { db, limiter, knownBudgets, clock } = runtime();
      const key = await requireOwnKey(db.orm, user.id, params.id);
      const plan = await planOfKey(db, key);
      const payer = key.userId === user.id ? user : await accountOfKey(db.orm, key);
      const limits = accountLimitsOf(await planOfAccount(db, payer), payer);
      const asked = { userId: payer.id, account: accountLevelOf(payer.id, limits), maxKeys: limits.keys };
      const state = await limiter.peek(key.id, keyLimitsOf(plan, payer), asked.account);
      const account = await accountUseOf({ db, limiter }, asked);
      const rules = await ruleStatesOf({ db, knownBudgets, clock }, await findKeyBudgets(db, key.id));
      return {
        plan: { id: plan.id, name: plan.name },
        ...state,
        account,
        budgets: rules.map(budgetUseOf),
      };
    },
  ),
  defineOperation(
    {
      method: "get",
      path: "/api/user/console-key",
      id: "getConsoleKey",
      tag: "API keys",
      caller: "account",
      summary: "Show the record of the console key",
      description: "The key that the pages of the console make calls with; null when they made none yet.",
      success: { status: 200, description: "The key's record", schema: consoleKeyRecord },
    },
    async ({ user }) => ({ apiKey: await findConsoleKey(runtime().db, user.id) }),
  ),
  defineOperation(
    {
      method: "post",
      path: "/api/user/console-key",
      id: "issueConsoleKey",
      tag: "API keys",
      caller: "session",
      summary: "Get the console key",
      description:
        "For the pages of the console: one key for each account. It ends after 12 hours and with all sessions; until then every call gets the same one.",
      success: { status: 200, description: "The record and the key", schema: createKeyResponse },
    },
    async ({ user, actor }) => {
      const { db, secrets } = runtime();
      const { apiKey, key, isNew } = await issueConsoleKey(db, user, secrets.consoleKeys);
      if (isNew) {
        keyChanged(apiKey.id);
        await recordOwnAct(db.orm, actor, "key.create", apiKey.id, apiKey);
      }
      return { apiKey, key };
    },
  ),
  defineOperation(
    {
      tag: "Admin: people",
      caller: "admin",
      method: "get",
      path: "/api/admin/users/{id}/tokens",
      id: "listKeysOfUser",
      summary: "List an account's keys",
      query: pageQuery,
      success: {
        status: 200,
        description: "A page of keys, never with their secret",
        schema: listOf(keyRecord),
      },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ params, query }) => {
      const { db } = runtime();
      const { id } = await userById(db.orm, params.id);
      return listPaidKeys(db, id, query);
    },
  ),
  defineOperation(
    {
      tag: "Admin: people",
      caller: "admin",
      method: "patch",
      path: "/api/admin/users/{id}/tokens/{tokenId}",
      id: "updateKeyOfUser",
      summary: "Change a key of an account",
      description:
        "In force at once. An admin may give it any plan. The account cannot enable what an admin has disabled.",
      body: { schema: updateKeyRequest, example: { status: "disabled" } },
      success: { status: 200, description: "The key's record", schema: keyRecord },
      errors: ["INVALID_REQUEST", "FORBIDDEN", "NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, params, body }) => {
      const owner = await userById(runtime().db.orm, params.id);
      return changeKey(
        "key.update",
        actor,
        (tx) => requirePaidKey(tx, owner.id, params.tokenId),
        (tx, now) => updateKeyForAdmin(tx, owner.id, params.tokenId, body, now),
      );
    },
  ),
  defineOperation(
    {
      tag: "Admin: people",
      caller: "admin",
      method: "delete",
      path: "/api/admin/users/{id}/tokens/{tokenId}",
      id: "deleteKeyOfUser",
      summary: "Delete a key of an account",
      success: { status: 204, description: "Deleted; requests with it are refused at once" },
      errors: ["NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, params }) => {
      const owner = await userById(runtime().db.orm, params.id);
      await changeKey(
        "key.delete",
        actor,
        (tx) => requirePaidKey(tx, owner.id, params.tokenId),
        (tx, now) => deleteKey(tx, owner.id, params.tokenId, now),
      );
    },
  ),
];

/** Changes or deletes a key that `find` finds: records it with its previous state, and applies it at once. */
async function changeKey<After>(
  action: "key.update" | "key.delete",
  actor: Actor,
  find: (tx: Orm) => Promise<KeyRow>,
  change: (tx: Orm, now: Date) => Promise<After>,
): Promise<After> {
  const { db, clock } = runtime();
  const { id, after } = await db.orm.transaction(async (tx) => {
    const before = keyRecordOf(await find(tx));
    const changed = await change(tx, clock.date());
    await recordAudit(tx, actor, { action, targetType: "key", targetId: before.id, before, after: changed });
    return { id: before.id, after: changed };
  });
  keyChanged(id);
  return after;
}
