import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { type AdminCall, useAdminCall } from "@/components/admin/use-admin-change";
import { type Read, read, readKey } from "@/components/api/read";

afterEach(() => vi.unstubAllGlobals());

const changed: Read[] = [
  read("GET /api/admin/models"),
  read("GET /api/admin/users/{id}/tokens", { params: { id: "u" }, query: { page: 1 } }),
  read("GET /api/user/models"),
  read("GET /api/user/plans"),
  read("GET /api/user/self"),
  read("GET /api/user/tokens", { query: { page: 1 } }),
  read("GET /api/user/console-key"),
];
const unchanged: Read[] = [
  read("GET /api/user/logs"),
  read("GET /api/user/models/uptime"),
  read("GET /api/user/tokens/{id}/limits", { params: { id: "k" } }),
];
const shown = [...changed, ...unchanged];

/** The call as a page gets it, and the names of what is out of date afterwards. */
function adminCall() {
  const client = new QueryClient();
  for (const asked of shown) client.setQueryData<unknown>(readKey(asked), {});
  const got: { call?: AdminCall } = {};
  const Page = () => {
    got.call = useAdminCall();
    return null;
  };
  renderToString(createElement(QueryClientProvider, { client }, createElement(Page)));
  return {
    change: () => got.call?.("DELETE /api/admin/models/{id}", { params: { id: "m" } }),
    outdated: () => shown.filter((asked) => client.getQueryState(readKey(asked))?.isInvalidated),
  };
}

test("an admin's change is seen at once on the pages of the console too", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 204 })));
  const { change, outdated } = adminCall();
  await change();
  expect(outdated()).toEqual(changed);
});

test("a change that may have been done is looked for, one that was refused is not", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no connection")));
  const lost = adminCall();
  await expect(lost.change()).rejects.toMatchObject({ status: 0 });
  expect(lost.outdated()).toEqual(changed);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 409 })));
  const refused = adminCall();
  await expect(refused.change()).rejects.toMatchObject({ status: 409 });
  expect(refused.outdated()).toEqual([]);
});
