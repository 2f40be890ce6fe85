import { expect, test } from "vitest";
import type { AuditEntry } from "@/components/api/admin/types";
import {
  actionText,
  type ChangeWords,
  fieldText,
  orderedChanges,
  shownChanges,
  summaryText,
  valueText,
} from "@/components/changes/change-words";
import { diffOf, shortValue } from "@/components/changes/diff";
import { audit } from "@/components/i18n/en/audit";
import { makeFormat } from "@/components/i18n/format";

test("only what differs is shown, nested members by their path, times of change left out", () => {
  const before = { name: "a", timeouts: { idleMs: 1, totalMs: 2 }, updatedAt: "x", tags: ["p"] };
  const after = { name: "a", timeouts: { idleMs: 1, totalMs: 3 }, updatedAt: "y", tags: ["p", "q"] };
  expect(diffOf(before, after)).toEqual([
    { field: "timeouts.totalMs", before: 2, after: 3 },
    { field: "tags", before: ["p"], after: ["p", "q"] },
  ]);
});

test("the changes of a price are told in the order of its form, whatever order they are stored in", () => {
  const price = { input: 1, output: 2, version: 3, cacheRead: 4, validFrom: "x", cacheWrite: 5 };
  const changes = orderedChanges({ action: "price.delete", before: price, after: null });
  expect(changes.map(({ field }) => field)).toEqual([
    "input",
    "output",
    "validFrom",
    "cacheRead",
    "cacheWrite",
    "version",
  ]);
});

test("a new record shows every member it got, a removed one every member it had", () => {
  expect(diffOf(undefined, { id: 1 })).toEqual([{ field: "id", before: undefined, after: 1 }]);
  expect(diffOf({ id: 1 }, undefined)).toEqual([{ field: "id", before: 1, after: undefined }]);
});

test("values are told in one line", () => {
  expect([null, "text", ["a"], false].map(shortValue)).toEqual(["", "text", '["a"]', "false"]);
});

const words: ChangeWords = {
  text: audit,
  format: makeFormat("en", "UTC", "full"),
  yes: "Yes",
  no: "No",
  labelled: "{label}: {value}",
  unlimited: "Unlimited",
  names: { "7b0f8f9e-1111-4222-8333-444455556666": "alice" },
  planName: (id) => `plan ${id}`,
};

test("fields have names in words, and values their units", () => {
  const told = (field: string, value: unknown) =>
    `${fieldText({ field }, words.text)}: ${valueText(field, value, words)}`;
  expect(told("quota", "40000")).toBe("Quota: ¥400.00");
  expect(told("quota", "1000000000000"), "the key of the console").toBe("Quota: Unlimited");
  expect(told("usedQuota", 0.5)).toBe("Used: ¥0.005");
  expect(told("expiresAt", "2026-11-23T11:26:30.991Z")).toBe("Expires: Nov 23, 2026, 11:26:30");
  expect(told("from", "2026-11-23T11:26:30.991Z")).toBe("From: Nov 23, 2026, 11:26:30");
  expect(told("planId", 1)).toBe("Plan: plan 1");
  expect(told("rpm", null)).toBe("Requests a minute: Unlimited");
  expect(told("models", null)).toBe("Models: All models");
  expect(told("newAccountQuotaCents", 250)).toBe("Quota of a new account: ¥2.50");
  expect(told("newAccountQuotaCents", 0)).toBe("Quota of a new account: ¥0.00");
  expect(told("newAccountQuotaCents", null)).toBe("Quota of a new account: As set at start");
  expect(told("registration", "invited")).toBe("Who can register: Only with an invite code");
  expect(told("registration", "toString")).toBe("Who can register: toString");
  expect(told("status", "suspended")).toBe("Status: Suspended");
  expect(told("enabled", false)).toBe("Enabled: No");
  expect(told("timeouts.idleMs", 60_500)).toBe("Time limit: silence within a stream: 1 min 1 s");
  expect(told("prices.input", 900)).toBe("Input price: ¥9.00 per 1M tokens");
  expect(told("perCall.webSearch", 1_000_000)).toBe("Price of a web search: ¥0.01");
  expect(told("perRequest", 1_000_000)).toBe("Price of a request: ¥0.01");
  expect(told("prices.services.flex.input", 900)).toBe("Input price (flex): ¥9.00 per 1M tokens");
  expect(told("services.priority.factor", 1.5)).toBe("Factor (priority): 1.5");
  expect(told("routes.cost.services.batch.factor", 0.5)).toBe("Factor of the provider cost (batch): 0.5");
  expect(told("routes.cost.services.batch.output", 900)).toBe(
    "Provider cost of output (batch): ¥9.00 per 1M tokens",
  );
  expect(told("cacheWrite1h", 600)).toBe("One-hour cache write price: ¥6.00 per 1M tokens");
  expect(told("routes.cost.output", 880)).toBe("Provider cost of output: ¥8.80 per 1M tokens");
  expect(told("invitedBy", "7b0f8f9e-1111-4222-8333-444455556666")).toBe("Invited by: alice");
  expect(told("suspension.since", "2026-11-23T11:26:30.991Z")).toBe(
    "Suspended since: Nov 23, 2026, 11:26:30",
  );
  expect(told("headers.x-team", "a")).toBe("Header x-team: a");
  expect(told("profile.unknown", "a")).toBe("profile.unknown: a");
});

test("a route's priority, weight and cost are changes of their own, by its node and upstream model", () => {
  const route = (node: string, fields: object) => ({
    node,
    nodeId: "1",
    protocol: "chat",
    model: "m",
    priority: 0,
    weight: 100,
    cost: null,
    ...fields,
  });
  const perCall = { webSearch: 1_000_000, fileSearch: null };
  const before = { alias: "a", routes: [route("n", { cost: { input: 100, output: 800 } }), route("o", {})] };
  const after = {
    alias: "a",
    routes: [
      route("n", { weight: 50, cost: { input: 120, output: 800, perCall } }),
      route("p", { priority: 1 }),
    ],
  };
  const told = (entry: { before: object | null; after: object }) =>
    shownChanges(entry).map((change) => {
      const [from, to] = [change.before, change.after].map((value) => valueText(change.field, value, words));
      return `${fieldText(change, words.text)}: ${from} → ${to}`;
    });
  expect(told({ before, after })).toEqual([
    "Route n (m): Weight: 100 → 50",
    "Route n (m): Provider cost of input: ¥1.00 per 1M tokens → ¥1.20 per 1M tokens",
    "Route n (m): Provider cost of a web search: – → ¥0.01",
    "Route o (m): Priority: 0 → –",
    "Route o (m): Weight: 100 → –",
    "Route p (m): Priority: – → 1",
    "Route p (m): Weight: – → 100",
  ]);
  expect(told({ before: null, after: before })).toContain(
    "Route n (m): Provider cost of output: – → ¥8.00 per 1M tokens",
  );
});

test("what is empty before and after is no change, but no limit and all models are values", () => {
  const after = { id: "1", name: "a", lastUsedAt: null, headers: {}, models: null, rpm: null };
  expect(shownChanges({ before: null, after }).map((change) => change.field)).toEqual([
    "name",
    "models",
    "rpm",
  ]);
  expect(shownChanges({ before: null, after: null })).toEqual([]);
});

const entry: Pick<AuditEntry, "actorId" | "targetId" | "before" | "after"> = {
  actorId: "admin",
  targetId: "user",
  before: null,
  after: null,
};

test("a password that somebody else resets, a suspension and its end have names of their own", () => {
  const said = (fields: Partial<typeof entry>, action = "user.update") =>
    actionText({ ...entry, ...fields, action }, audit);
  expect(said({}, "user.password")).toBe("Password reset by an administrator");
  expect(said({ actorId: "user" }, "user.password")).toBe("Password changed");
  const active = { status: "active", suspension: null, planId: 1 };
  const suspended = { ...active, status: "suspended", suspension: { since: "2026-01-01", reason: "unpaid" } };
  expect(said({ before: active, after: suspended })).toBe("Account suspended");
  expect(said({ before: suspended, after: active })).toBe("Account reactivated");
  expect(said({ before: active, after: { ...suspended, planId: 2 } })).toBe("Account changed");
});

test("quota that is taken away is not called granted", () => {
  const said = (amount: string) => actionText({ ...entry, action: "user.grant", after: { amount } }, audit);
  expect([said("100"), said("-100")]).toEqual(["Quota granted", "Quota taken away"]);
});

test("the list tells each change with its value before and after, and of a grant its amount", () => {
  const told = (before: unknown, after: unknown, action = "user.update") =>
    summaryText({ action, before, after }, words);
  expect(told(null, { amount: "250", reason: "welcome" }, "user.grant")).toBe(
    "Amount: ¥2.50, Reason: welcome",
  );
  expect(told({ quota: "1000", planId: 1 }, { quota: "1250", planId: 2 })).toBe(
    "Plan: plan 1 → plan 2, Quota: ¥10.00 → ¥12.50",
  );
  expect(told({ email: "", name: "a", role: "user" }, { email: "a@b", name: "b", role: "admin" })).toBe(
    "E-mail: – → a@b, Role: User → Admin and 1 more",
  );
  expect(told(null, { name: "a", protocol: "chat", baseUrl: "https://a.b" }, "node.create")).toBe(
    "Base URL: https://a.b, Protocol: Chat completions",
  );
  const account = { held: "0", role: "user", email: "a@b", quota: "1000", planId: 1, status: "active" };
  expect(told(null, account, "user.create"), "what was chosen comes first").toMatch(
    /^E-mail: a@b, Plan: plan 1 and \d more$/,
  );
  expect(told({ version: 1, input: 900 }, { version: 2, input: 990 }, "price.create")).toBe(
    "Input price: ¥9.00 → ¥9.90, Price version: 1 → 2",
  );
  const suspended = { status: "suspended", suspension: { reason: "unpaid" } };
  expect(told({ status: "active" }, suspended)).toBe("Reason of the suspension: unpaid");
  expect(told({ status: "active" }, { status: "suspended" })).toBe("Status: Active → Suspended");
  expect(told(suspended, { status: "active" })).toBe("Status: Suspended → Active");
  expect(told(null, null, "user.logout")).toBe("");
});

test("of a deleted record the list tells what it was, of a planned price which and from when", () => {
  const told = (action: string, before: object) => summaryText({ action, before, after: null }, words);
  const price = { model: "fast", version: 3, input: 900, output: 1200, cacheRead: 900 };
  expect(told("price.delete", { ...price, validFrom: "2026-12-01T00:00:00.000Z" })).toBe(
    "Was: Model: fast, Input price: ¥9.00, Output price: ¥12.00, Valid from: Dec 1, 2026, 00:00:00",
  );
  expect(told("plan.delete", { id: 9, name: "Team", qps: 5, rpm: null, tpm: 90 })).toBe(
    "Was: Requests a second: 5, Requests a minute: Unlimited, Tokens a minute: 90",
  );
  expect(told("node.delete", { name: "n" })).toBe("Deleted");
});
