import path from "node:path";
import { defineConfig } from "vitest/config";

const alias = { "@": path.resolve(import.meta.dirname) };
const globalSetup = ["tests/support/global-setup.ts"];

/** Fault tests: slow, alone on their servers, one file after the other. */
export default defineConfig({
  test: {
    fileParallelism: false,
    projects: [
      {
        resolve: { alias },
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          exclude: ["tests/faults/{ledger,budget}-operations.test.ts"],
          globalSetup,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: "ledger",
          include: [
            "tests/unit/billing/{ledger,budget}-model.test.ts",
            "tests/faults/{ledger,budget}-operations.test.ts",
          ],
          globalSetup,
          testTimeout: 3_600_000,
          hookTimeout: 240_000,
        },
      },
    ],
  },
});
