import { addGrant } from "@/lib/admin/quota";
import { signupQuotaCents } from "@/lib/admin/settings";
import { addUser, findAccount, listUsers, removeUser, resetPassword, updateUser } from "@/lib/admin/users";
import { userChanged } from "@/lib/api/guard";
import { runtime } from "@/lib/gateway/runtime";
import { listLedger } from "@/lib/reports/ledger-view";
import { defineOperation } from "../operation";
import {
  createUserRequest,
  grantRequest,
  resetPasswordRequest,
  updateUserRequest,
  usersQuery,
} from "../schemas/admin";
import { adminUserRecord, grantResponse, resetPasswordResponse } from "../schemas/admin-records";
import { ledgerEntry } from "../schemas/catalog";
import { cursorQuery, listOf } from "../schemas/fields";

const shared = { tag: "Admin: people", caller: "admin" } as const;

/** Accounts and their quota. Source: docs/contract.md#s5, docs/dashboard.md#s2-9. */
export const userOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/users",
      id: "listUsers",
      summary: "List accounts",
      query: usersQuery,
      success: { status: 200, description: "A page of accounts", schema: listOf(adminUserRecord) },
      errors: ["INVALID_REQUEST"],
    },
    ({ query }) => listUsers(runtime().db, query, query),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/users",
      id: "createUser",
      summary: "Add an account",
      body: {
        schema: createUserRequest,
        example: { username: "bob", password: "correct-horse", planId: 2, quota: 10000 },
      },
      success: { status: 201, description: "The account", schema: adminUserRecord },
      errors: ["INVALID_REQUEST", "CONFLICT"],
    },
    ({ actor, body }) => {
      const { db, settings, catalog } = runtime();
      return addUser(db, actor, body, signupQuotaCents(settings, catalog.current));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/users/{id}",
      id: "getUser",
      summary: "Show an account",
      success: { status: 200, description: "The account", schema: adminUserRecord },
      errors: ["NOT_FOUND"],
    },
    ({ params }) => findAccount(runtime().db, params.id),
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/users/{id}",
      id: "updateUser",
      summary: "Change an account",
      description:
        "A new role or status ends its sessions; a new quota becomes an adjustment in its ledger. Admins cannot demote or suspend themselves or the last admin (409).",
      body: { schema: updateUserRequest, example: { status: "suspended" } },
      success: { status: 200, description: "The account", schema: adminUserRecord },
      errors: ["INVALID_REQUEST", "NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, params, body }) => {
      const user = await updateUser(runtime().db, actor, params.id, body);
      await userChanged(user.id);
      return user;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "delete",
      path: "/api/admin/users/{id}",
      id: "deleteUser",
      summary: "Delete an account",
      success: { status: 204, description: "Deleted; money records stay" },
      errors: ["NOT_FOUND", "CONFLICT"],
    },
    async ({ actor, params: { id } }) => {
      const { db, clock } = runtime();
      await removeUser(db, actor, id, clock.date());
      await userChanged(id);
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/users/{id}/grants",
      id: "listUserLedger",
      summary: "List an account's ledger",
      query: cursorQuery,
      success: { status: 200, description: "A page of its ledger", schema: listOf(ledgerEntry) },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, params, query }) => {
      const { db, reports } = runtime();
      const { id } = await findAccount(db, params.id);
      return reports.run(user.id, () => listLedger(db, id, query));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/users/{id}/grants",
      id: "grantQuota",
      summary: "Give quota to an account, or take it away",
      body: { schema: grantRequest, example: { amount: 5000, reason: "welcome" } },
      success: { status: 201, description: "The ledger line and the account", schema: grantResponse },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    ({ actor, params, body }) => addGrant(runtime().db, actor, params.id, body),
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/users/{id}/password",
      id: "resetPassword",
      summary: "Set an account's password",
      description: "Without one a random password is made; this answer is the only one that shows it.",
      body: { schema: resetPasswordRequest, example: {} },
      success: { status: 200, description: "The password", schema: resetPasswordResponse },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ actor, params, body }) => {
      const reset = await resetPassword(runtime().db, actor, params.id, body.newPassword);
      await userChanged(params.id);
      return reset;
    },
  ),
];
