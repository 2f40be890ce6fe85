import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { type AdminCall, useAdminCall } from "@/components/admin/use-admin-change";
import { queryKeys } from "@/components/api/page-reads";

afterEach(() => vi.unstubAllGlobals());

const shown = [
  ["admin", "models"],
  queryKeys.models,
  queryKeys.plans,
  queryKeys.self,
  [...queryKeys.keys, 1],
];

/** The call as a page gets it, and the names of what is out of date afterwards. */
function adminCall() {
  const client = new QueryClient();
  for (const key of shown) client.setQueryData(key, {});
  const got: { call?: AdminCall } = {};
  const Page = () => {
    got.call = useAdminCall();
    return null;
  };
  renderToString(createElement(QueryClientProvider, { client }, createElement(Page)));
  return {
    change: () => got.call?.("DELETE /api/admin/models/{id}", { params: { id: "m" } }),
    outdated: () => shown.filter((key) => client.getQueryState(key)?.isInvalidated),
  };
}

test("an admin's change is seen at once on the pages of the console too", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 204 })));
  const { change, outdated } = adminCall();
  await change();
  expect(outdated()).toEqual(shown);
});

test("a change that may have been done is looked for, one that was refused is not", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no connection")));
  const lost = adminCall();
  await expect(lost.change()).rejects.toMatchObject({ status: 0 });
  expect(lost.outdated()).toEqual(shown);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 409 })));
  const refused = adminCall();
  await expect(refused.change()).rejects.toMatchObject({ status: 409 });
  expect(refused.outdated()).toEqual([]);
});
