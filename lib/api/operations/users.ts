import { randomUUID } from "node:crypto";
import type { SQL } from "drizzle-orm";
import { addUser } from "@/lib/admin/add-user";
import type { Actor } from "@/lib/admin/audit";
import { endSessionsOf } from "@/lib/admin/end-sessions";
import { oneByOne } from "@/lib/admin/one-by-one";
import { resetPassword } from "@/lib/admin/reset-password";
import { quotaOfNewAccount, readSettings } from "@/lib/admin/settings";
import { chosenColumns, findAccount, listUsers, walkUsers } from "@/lib/admin/user-records";
import { addGrant, removeUser, type UserChange, updateUser } from "@/lib/admin/users";
import { keyChanged, userChanged } from "@/lib/api/announce-changes";
import { ledgerEntry, ledgerQuery } from "@/lib/api/schemas/ledger";
import { listOf } from "@/lib/api/schemas/list-of";
import {
  adminUserListed,
  adminUserRecord,
  adminUserView,
  grantResponse,
  outcomes,
  resetPasswordResponse,
} from "@/lib/api/schemas/user-records";
import {
  createUserRequest,
  grantRequest,
  grantUsersRequest,
  resetPasswordRequest,
  updateUserRequest,
  updateUsersRequest,
  usersExportQuery,
  usersQuery,
} from "@/lib/api/schemas/user-requests";
import { runtime } from "@/lib/gateway/runtime";
import { accountReasons, badField, type GatewayError } from "@/lib/kernel/errors";
import { boundRollups, coveringRollups } from "@/lib/reports/covering-rollups";
import { csvOf } from "@/lib/reports/csv";
import { csvName } from "@/lib/reports/csv-name";
import { listLedger } from "@/lib/reports/ledger";
import { statsRange } from "@/lib/reports/stats-range";
import { defineOperation } from "../operation";
import { exportQuery, zoneQuery } from "../schemas/stats";

const shared = { tag: "Admin: people", caller: "admin" } as const;

/** The most rows of an export. */
const MAX_ROWS = 1_000_000;

const example = { ids: ["7b0f8f9e-1111-4222-8333-444455556666"] };

/** Accounts and their quota. Source: docs/contract.md#s5, docs/dashboard.md#s2-9. */
export const userOperations = [
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/users",
      id: "listUsers",
      reader: true,
      summary: "List accounts",
      query: usersQuery.extend(zoneQuery.shape),
      success: { status: 200, description: "A page of accounts", schema: listOf(adminUserListed) },
      errors: ["INVALID_REQUEST"],
    },
    ({ user, query: { tz, ...query } }) => {
      const { db, reports } = runtime();
      return reports.run(user.id, async () =>
        listUsers(db, { ...query, rollups: await rollupsOfMonth(tz) }, query),
      );
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/users/export",
      id: "exportUsers",
      reader: true,
      summary: "Download the accounts",
      query: usersExportQuery.extend(exportQuery.shape),
      success: {
        status: 200,
        description: "The accounts as CSV; exact amounts in cents",
        other: { mediaType: "text/csv", description: "One line an account, safe to open in a spreadsheet" },
      },
      errors: ["INVALID_REQUEST"],
    },
    async ({ user, query: { tz, bom, columns, ...query } }) => {
      const { db, clock, reports, settings } = runtime();
      const chosen = chosenColumns(columns);
      const bounds = { reports, accountId: user.id, bom };
      const now = clock.date();
      return {
        name: csvName("users", { from: now }, tz ?? settings.reportTimezone, now),
        content: await csvOf(
          walkUsers(db, { ...query, rollups: await rollupsOfMonth(tz) }, MAX_ROWS),
          bounds,
          chosen,
        ),
      };
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "patch",
      path: "/api/admin/users",
      id: "updateUsers",
      summary: "Change the plan or the status of several accounts",
      description:
        "Each account is changed on its own, as by PATCH of one: the answer tells of each whether it is done, and one that is refused stays as it was. With the reason `outcome_unknown` nobody knows: look before you repeat it.",
      body: { schema: updateUsersRequest, example: { ...example, planId: 2 } },
      success: { status: 200, description: "What became of each account", schema: outcomes },
      errors: ["INVALID_REQUEST"],
    },
    ({ actor, body: { ids, ...change } }) => {
      if (Object.keys(change).length === 0) throw badField("body", "names nothing to change");
      return changeEach(actor, ids, async (batch, id) => {
        await applyChange(batch, id, change);
      });
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/users/grants",
      id: "grantQuotaToUsers",
      summary: "Give quota to several accounts, or take it away",
      description: "As for one account, for each on its own.",
      body: { schema: grantUsersRequest, example: { ...example, amount: 5000, reason: "welcome" } },
      success: { status: 200, description: "What became of each account", schema: outcomes },
      errors: ["INVALID_REQUEST"],
    },
    ({ actor, body: { ids, ...grant } }) =>
      changeEach(actor, ids, (batch, id) => addGrant(runtime().db, batch, id, grant)),
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
    async ({ actor, body }) => {
      const { db, settings, catalog } = runtime();
      const stored = await readSettings(db);
      return addUser(db, actor, body, quotaOfNewAccount(settings, catalog.current, stored));
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/users/{id}",
      id: "getUser",
      reader: true,
      summary: "Show an account",
      success: { status: 200, description: "The account", schema: adminUserView },
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
      body: { schema: updateUserRequest, example: { status: "suspended", reason: "unpaid" } },
      success: { status: 200, description: "The account", schema: adminUserRecord },
      errors: ["INVALID_REQUEST", "NOT_FOUND", "CONFLICT"],
    },
    ({ actor, params, body }) => applyChange(actor, params.id, body),
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
      const left = await removeUser(db, actor, id, clock.date());
      userChanged(id);
      for (const { after } of left.keys) keyChanged(after.id);
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "get",
      path: "/api/admin/users/{id}/grants",
      id: "listUserLedger",
      summary: "List an account's ledger",
      query: ledgerQuery.extend(zoneQuery.shape),
      success: { status: 200, description: "A page of its ledger", schema: listOf(ledgerEntry) },
      errors: ["INVALID_REQUEST", "NOT_FOUND"],
    },
    async ({ user, params, query: { tz, ...query } }) => {
      const { db, reports, settings } = runtime();
      const { id } = await findAccount(db, params.id);
      const filter = { ...query, userId: id, zone: tz ?? settings.reportTimezone };
      return reports.run(user.id, () => listLedger(db, filter, query));
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
      userChanged(params.id);
      return reset;
    },
  ),
  defineOperation(
    {
      ...shared,
      method: "post",
      path: "/api/admin/users/{id}/logout-everywhere",
      id: "endSessionsOfUser",
      summary: "End every session and bearer token of an account",
      success: { status: 204, description: "Ended" },
      errors: ["NOT_FOUND"],
    },
    async ({ actor, params: { id } }) => {
      await endSessionsOf(runtime().db, actor, id);
      userChanged(id);
    },
  ),
];

/** Changes an account, with the keys that end with it, and applies it at once. */
async function applyChange(actor: Actor, id: string, change: UserChange) {
  const { user, endedKeys } = await updateUser(runtime().db, actor, id, change);
  userChanged(user.id);
  for (const { after } of endedKeys) keyChanged(after.id);
  return user;
}

/** Does the work for each record, as one batch in the audit, and returns the outcomes; a malfunction is logged too. */
export async function changeEach(
  actor: Actor,
  ids: readonly string[],
  work: (batch: Actor, id: string) => Promise<unknown>,
) {
  const batch = ids.length === 1 ? actor : { ...actor, batchId: randomUUID() };
  const results = await oneByOne(ids, (id) => work(batch, id));
  for (const { id, error } of results) {
    if (error !== null && error.status >= 500)
      runtime().log.error({ recordId: id, code: error.code, err: error.details.cause }, error.message);
  }
  return { results: results.map(({ id, error }) => ({ id, error: error && refusalOf(error) })) };
}

function refusalOf({ code, message, details }: GatewayError) {
  const reason = accountReasons.find((known) => known === details.reason);
  return { code, message, ...(reason && { reason }) };
}

/** The roll-ups of the last 30 days, today included, in a zone. */
async function rollupsOfMonth(tz: string | undefined): Promise<SQL> {
  const { db, clock, settings } = runtime();
  const now = clock.date().getTime();
  const { starts, to } = statsRange("30d", tz ?? settings.reportTimezone, now);
  return boundRollups(await coveringRollups(db, starts.slice(0, 1), to));
}
