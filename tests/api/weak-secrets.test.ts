import { expect, test } from "vitest";
import { embeddedDirectory } from "../support/database";
import { TestServer } from "../support/server";

const GOOD = Buffer.alloc(48, "A secret that nobody could have guessed. ").toString("base64");

/** Source: docs/reliability.md#r-113. */
test.each([
  ["AUTH_SECRET", "short"],
  ["AUTH_SECRET", "changeme-changeme-changeme-changeme"],
  ["AUTH_SECRET", "0".repeat(64)],
  ["AUTH_SECRET_PREVIOUS", "short"],
  ["ENCRYPTION_KEY", "short"],
  ["ENCRYPTION_KEY", Buffer.alloc(32).toString("base64")],
  ["ENCRYPTION_KEY_PREVIOUS", "short"],
])(
  "a start with a weak %s ends at once, names it and keeps its value to itself (%s)",
  async (name, value) => {
    const env = { PORT: "0", DATA_DIR: await embeddedDirectory(), AUTH_SECRET: GOOD, [name]: value };
    const server = new TestServer(env);
    await expect(server.start()).rejects.toThrow(name);
    expect(await server.stop()).toBeGreaterThan(0);
    if (value.length > 10) expect(server.output).not.toContain(value);
  },
);
