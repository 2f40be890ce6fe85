import { readFileSync } from "node:fs";
import { test as base } from "@playwright/test";
import { freePort } from "@/bench/free-port";
import { discardServer, startServer, type TestServer } from "@/tests/support/server";
import { waitForTakeover } from "./taken-over";

/** Gives each worker its own gateway, so that workers do not see each other's changes. */
export const test = base.extend<object, { gateway: TestServer }>({
  gateway: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures it needs from the pattern
    async ({}, use) => {
      const server = await startServer({
        config: readFileSync("tests/e2e/support/tollgate.yaml", "utf8"),
        // The pages show the configured port, so that it must not be 0.
        env: {
          ALLOW_PRIVATE_UPSTREAMS: "1",
          DEMO_PROVIDER: "1",
          KITCHEN: "1",
          PORT: String(await freePort()),
        },
      });
      await use(server);
      await discardServer(server);
    },
    { scope: "worker" },
  ],
  baseURL: ({ gateway }, use) => use(gateway.url),
  page: async ({ page }, use) => {
    waitForTakeover(page);
    await use(page);
  },
});
