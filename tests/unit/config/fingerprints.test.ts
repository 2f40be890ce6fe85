import { describe, expect, test } from "vitest";
import { checkFingerprints } from "@/lib/config/credentials";
import { parseSettings } from "@/lib/config/env";
import { loadSecrets } from "@/lib/config/secrets";
import { forEachDatabase } from "@/tests/support/database";

const AUTH = "Kk3v0nQ9sW1xYzA7bC5dE2fG8hJ4mN6pR0tU";
const FIRST_KEY = Buffer.from("0f1e2d3c4b5a69788796a5b4c3d2e1f0").toString("base64");
const SECOND_KEY = Buffer.from("f0e1d2c3b4a5968778695a4b3c2d1e0f").toString("base64");

function settings(env: Record<string, string>) {
  return parseSettings({ AUTH_SECRET: AUTH, ...env }, { cwd: "/", exists: () => false });
}

await forEachDatabase((_, open) => {
  describe("a database", () => {
    test("refuses other keys and says what to do; a rotation and giving up are ways on", async () => {
      const db = await open();
      const [first, second] = await Promise.all(
        [FIRST_KEY, SECOND_KEY].map((key) => loadSecrets(settings({ ENCRYPTION_KEY: key }))),
      );
      if (!first || !second) throw new Error("no secrets");
      await checkFingerprints(db, first, false);
      await checkFingerprints(db, first, false);
      await expect(checkFingerprints(db, second, false)).rejects.toThrow(
        /another ENCRYPTION_KEY[\s\S]*ENCRYPTION_KEY_PREVIOUS/,
      );
      await checkFingerprints(
        db,
        await loadSecrets(settings({ ENCRYPTION_KEY: SECOND_KEY, ENCRYPTION_KEY_PREVIOUS: FIRST_KEY })),
        false,
      );
      await checkFingerprints(db, second, false);
      await expect(checkFingerprints(db, first, false)).rejects.toThrow("another ENCRYPTION_KEY");
      await checkFingerprints(db, first, true);
      await checkFingerprints(db, first, false);
    });
  });
});
