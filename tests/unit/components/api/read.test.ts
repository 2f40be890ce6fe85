import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { keyOf, keyUnder, read, readKey } from "@/components/api/read";

test("the key is the path after /api with its parameters, and the query", () => {
  expect(readKey(read("GET /api/admin/plans"))).toEqual(["admin", "plans", {}]);
  const query = { period: "7d", tz: "UTC" };
  expect(readKey(read("GET /api/admin/nodes/{id}/stats", { params: { id: "n" }, query }))).toEqual([
    "admin",
    "nodes",
    "n",
    "stats",
    query,
  ]);
});

test("a parameter is one segment, whatever is in it", () => {
  const asked = read("GET /api/admin/users/{id}", { params: { id: "a/b c" } });
  expect(readKey(asked)).toEqual(["admin", "users", "a%2Fb%20c", {}]);
});

test("reads that send the same request have the same key", () => {
  const sent = read("GET /api/user/logs", { query: { pageSize: 50, httpStatus: 429 } });
  const same = read("GET /api/user/logs", {
    query: { model: null, status: undefined, client: "", httpStatus: "429", pageSize: 50 },
  });
  expect(readKey(same)).toEqual(readKey(sent));
  expect(readKey(read("GET /api/user/tokens", {}))).toEqual(readKey(read("GET /api/user/tokens")));
});

test("what is out of date is found by its path, with or without longer paths", () => {
  const reads = {
    list: read("GET /api/user/tokens", { query: { page: 2 } }),
    whole: read("GET /api/user/tokens"),
    limits: read("GET /api/user/tokens/{id}/limits", { params: { id: "k" } }),
    other: read("GET /api/user/models"),
    plans: read("GET /api/admin/plans"),
    refusals: read("GET /api/admin/plans/refusals"),
  };
  const client = new QueryClient();
  for (const asked of Object.values(reads)) client.setQueryData<unknown>(readKey(asked), {});
  const found = (queryKey: readonly unknown[]) => {
    const hashes = client
      .getQueryCache()
      .findAll({ queryKey })
      .map((query) => JSON.stringify(query.queryKey));
    return Object.entries(reads)
      .filter(([, asked]) => hashes.includes(JSON.stringify(readKey(asked))))
      .map(([name]) => name);
  };
  expect(found(keyOf("/api/user/tokens"))).toEqual(["list", "whole"]);
  expect(found(keyUnder("/api/user/tokens"))).toEqual(["list", "whole", "limits"]);
  expect(found(keyOf("/api/admin/plans"))).toEqual(["plans"]);
  expect(found(keyUnder("/api/admin"))).toEqual(["plans", "refusals"]);
});

test("only reads with the input of their operation compile", () => {
  const wrong = () => [
    // @ts-expect-error: the operation changes something
    read("DELETE /api/user/self"),
    // @ts-expect-error: there is no such operation
    read("GET /api/user/keys"),
    // @ts-expect-error: a parameter is missing
    read("GET /api/admin/users/{id}"),
    // @ts-expect-error: the parameter has another name
    read("GET /api/admin/users/{id}", { params: { user: "u" } }),
    // @ts-expect-error: a member of the query is not documented
    read("GET /api/user/logs", { query: { size: 50 } }),
    // @ts-expect-error: the operation has no query
    read("GET /api/admin/plans", { query: { page: 1 } }),
    // @ts-expect-error: there is no such path
    keyOf("/api/user/keys"),
  ];
  expect(wrong).toBeTypeOf("function");
});
