import { describe, expect, test } from "vitest";
import { dictionaries } from "@/components/i18n/dictionaries";
import { emptyDraft, forCreate, readDraft } from "@/components/keys/key-form-state";
import { keyState } from "@/components/keys/key-state";

const text = dictionaries.en.keys;
const now = Date.parse("2026-11-21T08:00:00Z");
const key = {
  id: "k",
  keyPrefix: "tgw-abc",
  name: "n",
  status: "active" as const,
  quota: 100,
  usedQuota: 0,
  held: 0,
  planId: 1,
  models: null,
  expiresAt: null,
  createdAt: "2026-11-01T00:00:00Z",
  lastUsedAt: null,
};

describe("the form of a key", () => {
  test("sends cents, and leaves out what the server decides", () => {
    const read = readDraft({ ...emptyDraft, name: "  Build  ", quota: "12.5" }, true, "UTC", text, now);
    expect(read).toEqual({ ok: true, body: { name: "Build", models: null, expiresAt: null, quota: 1250 } });
    if (read.ok) expect(forCreate(read.body)).toEqual({ name: "Build", quota: 1250 });
    const bare = readDraft({ ...emptyDraft, name: "x" }, true, "UTC", text, now);
    expect(bare.ok && "quota" in bare.body).toBe(false);
    const edited = readDraft({ ...emptyDraft, name: "x" }, false, "UTC", text, now);
    expect(edited).toEqual({ ok: false, errors: { quota: [text.quotaRule] } });
  });

  test("reads an expiry in the chosen zone and refuses the past", () => {
    const draft = { ...emptyDraft, name: "x", expiry: "custom" as const, expiryAt: "2026-11-21T16:30" };
    expect(readDraft(draft, true, "Asia/Shanghai", text, now)).toMatchObject({
      body: { expiresAt: "2026-11-21T08:30:00.000Z" },
    });
    expect(
      readDraft({ ...draft, expiryAt: "2026-11-21T15:30" }, true, "Asia/Shanghai", text, now),
    ).toMatchObject({
      errors: { expiresAt: [text.expiryRule] },
    });
  });

  test("names every wrong field at once", () => {
    const read = readDraft({ ...emptyDraft, quota: "1.234", models: [] }, true, "UTC", text, now);
    expect(read.ok ? [] : Object.keys(read.errors).sort()).toEqual(["models", "name", "quota"]);
  });
});

describe("the state of a key", () => {
  test("tells what its owner must know first", () => {
    expect(keyState(key, now)).toBe("active");
    expect(keyState({ ...key, usedQuota: 100 }, now)).toBe("exhausted");
    expect(keyState({ ...key, usedQuota: 100, expiresAt: "2026-11-20T00:00:00Z" }, now)).toBe("expired");
    expect(keyState({ ...key, status: "disabled", expiresAt: "2026-11-20T00:00:00Z" }, now)).toBe("disabled");
  });
});
