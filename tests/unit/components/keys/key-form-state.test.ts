import { describe, expect, test } from "vitest";
import { firstUsable, keyState } from "@/components/api/key-state";
import { requestErrors } from "@/components/forms/request-errors";
import { emptyDraft, keyBody } from "@/components/keys/key-form-state";

const now = Date.parse("2026-11-21T08:00:00Z");
const key = {
  id: "k",
  keyPrefix: "tgw-abc",
  name: "n",
  status: "active" as const,
  blocked: false,
  quota: 100,
  usedQuota: 0,
  held: 0,
  planId: 1,
  models: null,
  expiresAt: null,
  createdAt: "2026-11-01T00:00:00Z",
  lastUsedAt: null,
  projectId: null,
  createdBy: null,
};

describe("the form of a key", () => {
  test("sends cents, and leaves out what the server decides", () => {
    const body = keyBody({ ...emptyDraft, name: "  Build  ", quota: "12.5" }, "UTC", now);
    expect(body).toEqual({ name: "Build", models: null, expiresAt: null, quota: 1250 });
    expect(requestErrors("POST /api/user/tokens", body)).toEqual({});
    expect(keyBody({ ...emptyDraft, name: "x" }, "UTC", now).quota).toBeUndefined();
  });

  test("reads an expiry in the chosen zone, and a day alone as no moment", () => {
    const draft = { ...emptyDraft, name: "x", expiry: "custom" as const, expiresAt: "2026-11-21T16:30" };
    expect(keyBody(draft, "Asia/Shanghai", now).expiresAt).toBe("2026-11-21T08:30:00.000Z");
    for (const expiresAt of ["2026-11-21", "", "soon"]) {
      const body = keyBody({ ...draft, expiresAt }, "Asia/Shanghai", now);
      expect(Object.keys(requestErrors("POST /api/user/tokens", body)), expiresAt).toEqual(["expiresAt"]);
    }
  });

  test("names every wrong field at once", () => {
    const body = keyBody({ ...emptyDraft, quota: "1.234", models: [] }, "UTC", now);
    expect(Object.keys(requestErrors("POST /api/user/tokens", body)).sort()).toEqual([
      "models",
      "name",
      "quota",
    ]);
  });
});

describe("the state of a key", () => {
  test("tells what its owner must know first", () => {
    expect(keyState(key, now)).toBe("active");
    expect(keyState({ ...key, usedQuota: 100 }, now)).toBe("exhausted");
    expect(keyState({ ...key, usedQuota: 100, expiresAt: "2026-11-20T00:00:00Z" }, now)).toBe("expired");
    expect(keyState({ ...key, status: "disabled", expiresAt: "2026-11-20T00:00:00Z" }, now)).toBe("disabled");
  });

  test("decides which key is shown first: one whose calls are answered", () => {
    const expired = { ...key, id: "expired", expiresAt: "2026-11-20T00:00:00Z" };
    const spent = { ...key, id: "spent", usedQuota: 100 };
    expect(firstUsable([expired, spent, key, { ...key, id: "later" }])?.id).toBe("k");
    expect(firstUsable([expired, spent])?.id).toBe("expired");
    expect(firstUsable([])).toBeUndefined();
  });
});
