import { describe, expect, test } from "vitest";
import { parse, parseChanges, parseQuery } from "@/lib/api/parse";
import { cents, email, password, username } from "@/lib/api/schemas/fields";
import { createKeyRequest } from "@/lib/api/schemas/keys";
import { endMoment, startMoment, untilMoment } from "@/lib/api/schemas/moments";
import { pageQuery } from "@/lib/api/schemas/pages";
import { registerRequest } from "@/lib/api/schemas/sign-in";
import { nodeEntry } from "@/lib/config/file-schema";

describe("a quota", () => {
  test.each([0, 1, 500, 10 ** 12])("may be %s", (value) => expect(cents.parse(value)).toBe(value));

  test.each([-1, 0.5, 10 ** 12 + 1, Number.NaN, Number.POSITIVE_INFINITY, "5", null, [], {}, true, 2 ** 53])(
    "may not be %s",
    (value) => expect(cents.safeParse(value).success).toBe(false),
  );
});

describe("a username", () => {
  test.each(["abc", "A1b2", "x".repeat(32)])("may be %s", (text) => expect(username.parse(text)).toBe(text));

  test.each(["ab", "x".repeat(33), "a b", "a-b", "ünal", "abc\n", "", "аbc"])("may not be %j", (text) =>
    expect(username.safeParse(text).success).toBe(false),
  );
});

describe("a password", () => {
  test.each(["secret", "🔑🔑🔑🔑🔑🔑", "a\0bcde", "x".repeat(1024)])("may be %j", (text) =>
    expect(password.parse(text)).toBe(text),
  );

  test.each(["12345", "🔑🔑🔑", "x".repeat(1025), "é".repeat(513)])("may not be %j", (text) =>
    expect(password.safeParse(text).success).toBe(false),
  );
});

describe("an e-mail address", () => {
  test.each(["", "a@b.co", "first.last+tag@sub.example.org"])("may be %j", (text) =>
    expect(email.parse(text)).toBe(text),
  );

  test.each([
    "a＠b.co",
    '"a b"@b.co',
    "a@b.co\r\nBcc: x@y.z",
    "a@b",
    "@b.co",
    "a@@b.co",
    `${"x".repeat(390)}@b.co`,
    "ä@b.co",
    "a@b.co ",
  ])("may not be %j", (text) => expect(email.safeParse(text).success).toBe(false));
});

describe("a moment", () => {
  test("given as a bare date means the end of that day in UTC for an expiry, its beginning for a start", () => {
    expect(endMoment.parse("2026-11-21").toISOString()).toBe("2026-11-21T23:59:59.999Z");
    expect(startMoment.parse("2026-11-21").toISOString()).toBe("2026-11-21T00:00:00.000Z");
    expect(untilMoment.parse("2026-11-21").toISOString()).toBe("2026-11-22T00:00:00.000Z");
  });

  test.each([
    ["2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000Z"],
    ["2026-11-21T10:00:00+08:00", "2026-11-21T02:00:00.000Z"],
    ["2026-11-21T10:00:00.123456+00:00", "2026-11-21T10:00:00.123Z"],
    ["2026-11-21T10:00", "2026-11-21T10:00:00.000Z"],
    ["2024-02-29", "2024-02-29T23:59:59.999Z"],
  ])("%s is %s", (text, iso) => expect(endMoment.parse(text).toISOString()).toBe(iso));

  test.each([
    "",
    "tomorrow",
    "2026-02-30",
    "2026-02-29T10:00:00Z",
    "2026-13-01",
    "2026-11-21T25:00:00Z",
    "21.11.2026",
    "1766300000",
    1766300000,
    "+012026-01-01",
    "2026-11-21T10:00:00+99:99",
  ])("%j is none", (text) => expect(endMoment.safeParse(text).success).toBe(false));
});

describe("a refusal", () => {
  const refusalOf = (work: () => unknown): { code: string; message: string; fields: object } => {
    try {
      work();
    } catch (error) {
      const { code, message, details } = error as {
        code: string;
        message: string;
        details: { fields: object };
      };
      return { code, message, fields: details.fields };
    }
    throw new Error("nothing was refused");
  };

  test("names every bad field, unknown ones too", () => {
    const { code, fields } = refusalOf(() =>
      parse(registerRequest, { username: "x", role: "admin", quota: 5, email: 7 }),
    );
    expect(code).toBe("INVALID_REQUEST");
    expect(fields).toEqual({
      username: ["must be 3 to 32 letters and digits"],
      password: ["is required"],
      email: ["must be text"],
      role: ["is not a known field"],
      quota: ["is not a known field"],
    });
  });

  test("does not stumble over names that objects inherit", () => {
    const body: unknown = JSON.parse(
      '{"username":"abc","password":"secret","__proto__":{"role":"admin"},"constructor":1}',
    );
    const { fields } = refusalOf(() => parse(registerRequest, body));
    expect(Object.keys(fields).sort()).toEqual(["__proto__", "constructor"]);
  });

  test.each([null, [], "x", 5])("of a body that is %j says so", (body) => {
    expect(refusalOf(() => parse(registerRequest, body)).fields).toHaveProperty("body");
  });

  test.each([
    { name: "" },
    { name: " " },
    { name: "x".repeat(101) },
    { name: "k", models: [] },
    { name: "k", models: ["a", 5] },
    { name: "k", planId: "1" },
    { name: "k", planId: 1.5 },
    { name: "k", quota: null },
    { name: "k", expiresAt: "no" },
    { name: "k", usedQuota: 0 },
    {},
  ])("meets the key %j", (body) => expect(createKeyRequest.safeParse(body).success).toBe(false));
});

describe("a query string", () => {
  const read = (query: string) => parseQuery(pageQuery, new URLSearchParams(query));

  test("has defaults, and what it does not know is refused by name", () => {
    expect(read("")).toEqual({ page: 1, pageSize: 20 });
    expect(read("page=2&pageSize=100")).toEqual({ page: 2, pageSize: 100 });
    expect(() => read("page=2&other=1")).toThrow("`other`");
    expect(read("page=")).toEqual({ page: 1, pageSize: 20 });
  });

  test.each([
    "pageSize=101",
    "pageSize=0",
    "page=0",
    "page=-1",
    "page=1e9",
    "page=1.5",
    "page=x",
    "page=1&page=2",
  ])("%s is refused, not clamped", (query) => expect(() => read(query)).toThrow());
});

test("a change holds what was sent and no defaults", () => {
  expect(parseChanges(nodeEntry, { enabled: false })).toEqual({ enabled: false });
  expect(() => parseChanges(nodeEntry, { other: 1 })).toThrow();
});
