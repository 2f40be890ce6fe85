import { readFileSync } from "node:fs";
import { test as base } from "@playwright/test";
import { freePort } from "@/bench/free-port";
import { discardServer, startServer, type TestServer } from "@/tests/support/server";

/** Tests whose pages come from a gateway of their worker's own, so that workers do not meet each other's changes. */
export const test = base.extend<object, { gateway: TestServer }>({
  gateway: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it needs from the pattern
    async ({}, use) => {
      const server = await startServer({
        config: readFileSync("tests/e2e/support/tollgate.yaml", "utf8"),
        // The pages name the address that is set, and a port of 0 is none.
        env: { ALLOW_PRIVATE_UPSTREAMS: "1", DEMO_PROVIDER: "1", PORT: String(await freePort()) },
      });
      await use(server);
      await discardServer(server);
    },
    { scope: "worker" },
  ],
  baseURL: ({ gateway }, use) => use(gateway.url),
});
