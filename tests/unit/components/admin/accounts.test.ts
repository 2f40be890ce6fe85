import { describe, expect, test } from "vitest";
import { outcomesOf, whyNot } from "@/components/admin/bulk/outcomes";
import { changedUser, doneText, stepsBack } from "@/components/admin/users/bulk-done";
import { limitsBody, limitsDraftOf } from "@/components/admin/users/own-limits";
import { bulkWords, explainRefusals } from "@/components/admin/users/use-bulk";
import type { AdminUser } from "@/components/api/admin/types";
import { ApiError } from "@/components/api/client";
import { errorMessage } from "@/components/api/error-message";
import { makeFormat } from "@/components/i18n/format";
import { messages as en } from "@/components/i18n/messages";
import { messages as zhCn } from "@/components/i18n/zh-cn-messages";
import { freshened } from "@/components/lists/use-selection";
import { accountReasons } from "@/lib/kernel/errors";
import { balanceAfter, countOverdrawn, countShort, usedShare } from "@/lib/shared/balance";

describe("an account's own limits", () => {
  const word = "Unlimited";

  test("a limit that is none stays none when another one is changed", () => {
    const draft = limitsDraftOf({ qps: 77, tpm: null }, word);
    expect(draft).toEqual({ qps: "77", rpm: "", tpm: "Unlimited", concurrent: "", keys: "" });
    expect(limitsBody({ ...draft, qps: "80" }, word)).toEqual({ qps: 80, tpm: null });
  });

  test("an emptied limit is the plan's, all of them emptied are null, and other words are left to the schema", () => {
    const empty = { qps: "", rpm: "", tpm: "", concurrent: "", keys: "" };
    expect(limitsBody({ ...empty, rpm: " " }, word)).toBeNull();
    expect(limitsBody({ ...empty, rpm: "unlimited ", tpm: "many" }, word)).toEqual({
      rpm: null,
      tpm: "many",
    });
    expect(limitsBody({ ...empty, concurrent: "5", keys: "0" }, word)).toEqual({ concurrent: 5, keys: 0 });
  });
});

test("a change of several accounts says what it did, and leaves them selected as they are now", () => {
  const words = {
    text: en.adminUsers.bulk.done,
    format: makeFormat("en", "UTC", "full"),
    planName: () => "Pro",
  };
  expect(doneText({ status: "suspended", reason: "x" }, 20, words)).toBe("20 accounts are suspended.");
  expect(doneText({ status: "active" }, 1, words)).toBe("1 account is active again.");
  expect(doneText({ amount: 2_500, reason: "x" }, 20, words)).toBe(
    "¥25.00 is granted to each of 20 accounts.",
  );
  expect(doneText({ planId: 2 }, 20, words)).toBe("20 accounts have the plan Pro.");
  const user = {
    quota: "1000",
    planId: 1,
    keyPlanIds: [1, 2],
    status: "active",
    suspension: null,
  } as AdminUser;
  expect(changedUser(user, { planId: 2 }, "now")).toMatchObject({ planId: 2, keyPlanIds: [2] });
  expect(changedUser(user, { amount: -300, reason: "x" }, "now").quota).toBe("700");
  expect(changedUser(user, { status: "suspended", reason: "x" }, "now").suspension?.reason).toBe("x");
});

test("a change of several accounts is taken back for those that it changed, each as it was", () => {
  const account = (id: string, planId: number, reason?: string) =>
    ({
      id,
      planId,
      keyPlanIds: [planId, 5],
      status: reason === undefined ? "active" : "suspended",
      suspension: reason === undefined ? null : { since: null, reason },
    }) as AdminUser;
  const users = [account("a", 1), account("b", 2), account("c", 1), account("d", 3, "unpaid")];
  const back = (body: Parameters<typeof stepsBack>[1]) =>
    stepsBack(users, body, "back").map((step) => [
      step.body,
      step.rows.map(({ id }) => id).join(""),
      step.loaded,
    ]);
  expect(back({ planId: 3 }), "only of those that still have the new plan").toEqual([
    [{ planId: 1 }, "ac", { planId: 3 }],
    [{ planId: 2 }, "b", { planId: 3 }],
  ]);
  expect(back({ planId: 5 }), "keys that had this plan before would follow").toEqual([]);
  expect(back({ status: "suspended", reason: "x" })).toEqual([
    [{ status: "active" }, "abc", { status: "suspended" }],
  ]);
  expect(back({ status: "active" })).toEqual([
    [{ status: "suspended", reason: "unpaid" }, "d", { status: "active" }],
  ]);
  expect(back({ amount: 1, reason: "x" })).toEqual([[{ amount: -1, reason: "back" }, "abcd", {}]]);
});

test("what is left after a grant may be less than nothing, which is not what was granted", () => {
  const account = (quota: string, usedExact: string) => ({ quota, usedExact });
  const take = { direction: "take", cents: 300 } as const;
  expect(balanceAfter(account("1000", "800.5"), take)).toEqual({ quota: "700", left: "-100.5" });
  expect(balanceAfter(account("1000", "800.5"), { ...take, direction: "give" })).toEqual({
    quota: "1300",
    left: "499.5",
  });
  const accounts = [account("1000", "700"), account("1000", "700.000001"), account("200", "0")];
  expect(countOverdrawn(accounts, take), "who has been granted less keeps it").toBe(1);
  expect([countShort(accounts, take), countShort(accounts, { ...take, direction: "give" })]).toEqual([1, 0]);
});

test("without a quota nothing is used until something is", () => {
  const shares = [
    ["0", "0"],
    ["0", "0.5"],
    ["1000", "250"],
  ].map(([quota = "", usedExact = ""]) => usedShare({ quota, usedExact }));
  expect(shares).toEqual([0, 1, 0.25]);
});

describe("a change of several accounts", () => {
  const ids = Array.from({ length: 150 }, (_, index) => `user-${index}`);
  const messageOf = (error: unknown) =>
    error instanceof ApiError && error.status === 403 ? "no" : "unknown";
  const failure = (status: number) =>
    new ApiError({ status, code: status === 0 ? "NETWORK" : "INTERNAL_ERROR", message: "" });
  const done = (part: string[]) => ({ results: part.map((id) => ({ id, error: null })) });

  test.each([0, 500, 504])(
    "a first answer that is lost (%i) is told as not known, and invites to no second call",
    async (status) => {
      const outcomes = await outcomesOf(ids, () => Promise.reject(failure(status)), messageOf);
      expect(outcomes.map(({ error }) => error?.message)).toEqual(ids.map(() => "unknown"));
    },
  );

  test("a first call that is refused changes nothing and throws", async () => {
    await expect(outcomesOf(ids, () => Promise.reject(failure(403)), messageOf)).rejects.toThrow(ApiError);
  });

  test("of a later call that fails the accounts are told with its reason, and those before stay done", async () => {
    const outcomes = await outcomesOf(
      ids,
      (part) => (part[0] === "user-0" ? Promise.resolve(done(part)) : Promise.reject(failure(403))),
      messageOf,
    );
    expect(outcomes.filter(({ error }) => error === null)).toHaveLength(100);
    expect(outcomes.at(-1)).toEqual({ id: "user-149", error: { message: "no" } });
  });

  test("who has less than what is taken is told how much that is, other refusals keep their words", () => {
    const refused = (reason?: string) => ({ code: "INVALID_REQUEST", message: "said before", reason });
    const users = [
      { id: "a", quota: "200" },
      { id: "b", quota: "500" },
      { id: "c", quota: "200" },
    ];
    const outcomes = [
      { id: "a", error: refused("quota_too_small") },
      // It had more when the page read it.
      { id: "b", error: refused("quota_too_small") },
      { id: "c", error: refused("quota_too_large") },
      { id: "d", error: null },
    ];
    const told = explainRefusals(outcomes, users, -300, (quota) => `only ${quota}`);
    expect(told.map((outcome) => outcome.error?.message)).toEqual([
      "only 200",
      "said before",
      "said before",
      undefined,
    ]);
  });

  test.each([
    ["en", bulkWords(en.adminUsers, en.common)],
    ["zh-CN", bulkWords(zhCn.adminUsers, zhCn.common)],
  ])(
    "every refusal that is known is told in words of %s, any other with the server's message",
    (_, words) => {
      const message = "What the server says.";
      const told = [
        ...accountReasons.map((reason) => whyNot({ code: "INTERNAL_ERROR", reason, message }, words)),
        ...["NOT_FOUND", "INTERNAL_ERROR", "NO_AVAILABLE_NODE"].map((code) =>
          whyNot({ code, message }, words),
        ),
      ];
      expect(told).not.toContain(message);
      expect(new Set(told).size).toBe(told.length);
      expect(whyNot({ code: "CONFLICT", message }, words)).toBe(message);
      expect(whyNot({ code: "INVALID_REQUEST", reason: "of_a_later_version", message }, words)).toBe(message);
    },
  );

  test("a failed connection can be told in words of a form's own", () => {
    const words = { errors: { network: "try again", generic: "failed" } };
    expect(errorMessage(failure(0), words)).toBe("try again");
    expect(errorMessage(failure(0).told("look first"), words)).toBe("look first");
  });

  test("an error whose reason has words is told in them", () => {
    const words = {
      errors: { network: "try again", generic: "failed", reasons: { last_admin: "the last" } },
    };
    const error = { status: 409, code: "CONFLICT", message: "Of the server." } as const;
    expect(errorMessage(new ApiError({ ...error, reason: "last_admin" }), words)).toBe("the last");
    expect(errorMessage(new ApiError({ ...error, reason: "another" }), words)).toBe("Of the server.");
  });
});

describe("ticked accounts", () => {
  // Only the id and the status are read.
  const user = (id: string, status: AdminUser["status"]) => ({ id, status }) as AdminUser;
  const isKept = ({ status }: AdminUser) => status !== "deleted";
  const chosen = new Map([
    ["a", user("a", "active")],
    ["b", user("b", "active")],
  ]);

  test("are as the newest page shows them; the deleted are no longer ticked, those of other pages stay", () => {
    const after = freshened(chosen, [user("a", "suspended"), user("c", "active")], isKept);
    expect([...after.values()].map(({ id, status }) => [id, status])).toEqual([
      ["a", "suspended"],
      ["b", "active"],
    ]);
    expect([...freshened(chosen, [user("b", "deleted")], isKept).keys()]).toEqual(["a"]);
    expect(freshened(chosen, [user("c", "active")], isKept)).toBe(chosen);
  });
});
