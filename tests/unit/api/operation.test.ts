import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { defineOperation } from "@/lib/api/operation";
import { type ApiInput, type ApiOutput, findRoute, operations } from "@/lib/api/routes";

const account = z.object({
  name: z.string(),
  role: z.enum(["user", "admin"]),
  keys: z.array(z.object({ id: z.string() })),
});

const shown = {
  method: "get",
  path: "/api/user/{id}/things/{thing}",
  id: "showThing",
  tag: "Account",
  caller: "account",
  summary: "Show a thing",
  query: z.object({ page: z.string().transform(Number) }),
  success: { status: 200, description: "The thing", schema: account },
} as const;

const changed = {
  ...shown,
  method: "patch",
  caller: "public",
  body: { schema: account, example: {}, partial: true },
} as const;

const exported = {
  ...shown,
  success: { status: 200, description: "A file", other: { mediaType: "text/csv", description: "Lines" } },
} as const;

const deleted = { ...shown, method: "delete", success: { status: 204, description: "Deleted" } } as const;

const good = { name: "a", role: "user" as const, keys: [{ id: "k" }] };

/** Each case that must not compile is marked; `npm run check` fails when one does. */
describe("an operation compiles", () => {
  test("with the answer that its schema describes, and with nothing else", () => {
    defineOperation(shown, async () => ({ name: "a", role: "user", keys: [] }));
    // @ts-expect-error: a member is missing
    defineOperation(shown, async () => ({ name: "a", role: "user" }));
    // @ts-expect-error: a member has another type
    defineOperation(shown, async () => ({ ...good, name: 1 }));
    // @ts-expect-error: a member has another value
    defineOperation(shown, async () => ({ ...good, role: "guest" as const }));
    // @ts-expect-error: a member may be missing
    defineOperation(shown, async () => ({ ...good, name: undefined as string | undefined }));
    // @ts-expect-error: a member is not documented
    defineOperation(shown, async () => ({ ...good, passwordHash: "secret" }));
    // @ts-expect-error: a member of an element is not documented
    defineOperation(shown, async () => ({ ...good, keys: [{ id: "k", keyHash: "secret" }] }));
    // @ts-expect-error: there is no answer
    defineOperation(shown, async () => {});
  });

  test("with a file where a file is documented, and with no answer where there is none", () => {
    defineOperation(exported, async () => ({ name: "x.csv", content: new ReadableStream<Uint8Array>() }));
    // @ts-expect-error: no file
    defineOperation(exported, async () => good);
    defineOperation(deleted, async () => {});
    // @ts-expect-error: an answer without a schema
    defineOperation(deleted, async () => good);
  });

  test("with the input that it declares, parsed", () => {
    defineOperation(shown, async ({ params, query, body, user, actor }) => {
      expectTypeOf(params).toEqualTypeOf<Record<"id", string> & Record<"thing", string>>();
      expectTypeOf(query).toEqualTypeOf<{ page: number }>();
      expectTypeOf(body).toEqualTypeOf<undefined>();
      expectTypeOf(user.role).toEqualTypeOf<"user" | "reader" | "admin">();
      expectTypeOf(actor.ip).toEqualTypeOf<string>();
      return good;
    });
    defineOperation(changed, async (call) => {
      expectTypeOf(call.body.role).toEqualTypeOf<"user" | "admin" | undefined>();
      expectTypeOf(call).not.toHaveProperty("user");
      return good;
    });
  });

  test("and pages get the types of its input and its answer by its name", () => {
    expectTypeOf<ApiOutput<"GET /api/health/live">>().toEqualTypeOf<{ status: "ok" }>();
    expectTypeOf<ApiInput<"DELETE /api/user/self">["body"]>().toEqualTypeOf<{ password: string }>();
    expectTypeOf<ApiInput<"GET /api/user/tokens/{id}">["params"]>().toEqualTypeOf<{ id: string | number }>();
    expectTypeOf<keyof NonNullable<ApiInput<"GET /api/admin/prices">["query"]>>().toEqualTypeOf<"model">();
    expectTypeOf<ApiOutput<"DELETE /api/user/self">>().toEqualTypeOf<undefined>();
    // @ts-expect-error: no operation
    expectTypeOf<ApiOutput<"GET /api/nope">>().toBeNever();
  });
});

describe("the list of operations", () => {
  test("has each method of a path, and each id, once", () => {
    const names = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  test("is for admins under /api/admin and for accounts under /api/user, sign-in apart", () => {
    const open = operations.filter(({ caller }) => caller === "public").map(({ id }) => id);
    expect(open).toEqual(["register", "login", "getBootstrap", "getStatus", "getLiveness", "getReadiness"]);
    const admin = operations.filter(({ path }) => path.startsWith("/api/admin/"));
    expect(admin.length).toBeGreaterThan(25);
    expect(admin.every(({ caller }) => caller === "admin")).toBe(true);
  });
});

describe("a path", () => {
  test("is found with its parameters decoded, one without parameters first", () => {
    const found = findRoute("/api/user/logs/a%20b/");
    expect(found?.params).toEqual({ requestId: "a b" });
    expect(found?.operations.get("GET")?.id).toBe("getLog");
    expect(findRoute("/api/user/logs/export")?.operations.get("GET")?.id).toBe("exportLogs");
  });

  test("takes PUT for PATCH and HEAD for GET", () => {
    const found = findRoute("/api/user/tokens/x");
    expect(found?.operations.get("PUT")?.id).toBe("updateKey");
    expect(found?.operations.get("HEAD")?.id).toBe("getKey");
  });
});
