import path from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/support/longest-first.ts";

/**
 * What `npm test` leaves to `npm run test:all`, to end within ten minutes: many odd values and paths through every
 * operation, the tools around the server, and slow variations on what other files hold too.
 */
export const ONLY_COMPLETE = [
  "tests/api/config-reload.test.ts",
  "tests/api/failed-starts.test.ts",
  "tests/api/first-key.test.ts",
  "tests/api/first-start.test.ts",
  "tests/api/image.test.ts",
  "tests/api/odd-numbers.test.ts",
  "tests/api/odd-paths.test.ts",
  "tests/api/odd-texts.test.ts",
  "tests/api/open-registration.test.ts",
  "tests/api/openapi-statuses.test.ts",
  "tests/api/pages-process.test.ts",
  "tests/api/private-files.test.ts",
  "tests/api/start.test.ts",
  "tests/api/v1-compressed-bodies.test.ts",
  "tests/api/v1-node-refusals.test.ts",
  "tests/api/v1-node-secrets.test.ts",
  "tests/sdk/outside-suites.test.ts",
  "tests/unit/admission/redis-setups.test.ts",
  "tests/unit/config/doctor.test.ts",
  "tests/unit/db/await-database.test.ts",
  "tests/unit/db/bounded-pool.test.ts",
  "tests/unit/db/client.test.ts",
  "tests/unit/db/migrate-waits.test.ts",
  "tests/unit/db/move-command.test.ts",
  "tests/unit/protocols/cut-streams.test.ts",
  "tests/unit/protocols/inherited-names.test.ts",
  "tests/unit/scripts/demo-seed.test.ts",
];

export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    include: [
      "tests/*.test.ts",
      "tests/unit/**/*.test.ts",
      "tests/api/**/*.test.ts",
      "tests/sdk/**/*.test.ts",
      "tests/corpus/**/*.test.ts",
      "tests/goldens/**/*.test.ts",
      // What must hold with each change, of what `npm run test:faults` has. Source: docs/reliability.md#s4-gates.
      "tests/faults/{kill-requests,kill-spool,upstream,upstream-limits,overload,tls}.test.ts",
    ],
    exclude: [...configDefaults.exclude, ...(process.env.TEST_SHORT ? ONLY_COMPLETE : [])],
    setupFiles: ["tests/support/quick-passwords.ts"],
    globalSetup: ["tests/support/global-setup.ts"],
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A poll ends when it is true; only a failure waits so long.
    expect: { poll: { timeout: 15_000 } },
    // One more than cores: much of a test's time is waiting.
    maxWorkers: 3,
    // A file's modules are loaded once for all files of a worker.
    isolate: false,
    // The embedded database starts in half the processor time when its code is not optimised.
    execArgv: ["--liftoff-only"],
    // On a crowded machine a deadline may pass; a guarantee that fails twice is broken.
    retry: process.env.CI ? 1 : 0,
  },
});
