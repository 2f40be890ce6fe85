import { describe, expect, test } from "vitest";
import { parseSettings } from "@/lib/config/env";
import { checkFingerprints } from "@/lib/config/key-fingerprints";
import { loadSecrets } from "@/lib/config/secrets";
import { forEachDatabaseInAll } from "@/tests/support/database";

const AUTH = "Kk3v0nQ9sW1xYzA7bC5dE2fG8hJ4mN6pR0tU";
const FIRST_KEY = Buffer.from("0f1e2d3c4b5a69788796a5b4c3d2e1f0").toString("base64");
const SECOND_KEY = Buffer.from("f0e1d2c3b4a5968778695a4b3c2d1e0f").toString("base64");

function settings(env: Record<string, string>) {
  return parseSettings({ AUTH_SECRET: AUTH, ...env }, { cwd: "/", exists: () => false });
}

await forEachDatabaseInAll((_, open) => {
  describe("a database", () => {
    test("refuses other keys and says what to do; a rotation and giving up are ways on", async () => {
      const db = await open();
      const [first, second] = await Promise.all(
        [FIRST_KEY, SECOND_KEY].map((key) => loadSecrets(settings({ ENCRYPTION_KEY: key }))),
      );
      if (!first || !second) throw new Error("no secrets");
      await checkFingerprints(db, first, { acceptNew: false, replicas: 1 });
      await checkFingerprints(db, first, { acceptNew: false, replicas: 1 });
      await expect(checkFingerprints(db, second, { acceptNew: false, replicas: 1 })).rejects.toThrow(
        /another ENCRYPTION_KEY[\s\S]*ENCRYPTION_KEY_PREVIOUS/,
      );
      await checkFingerprints(
        db,
        await loadSecrets(settings({ ENCRYPTION_KEY: SECOND_KEY, ENCRYPTION_KEY_PREVIOUS: FIRST_KEY })),
        { acceptNew: false, replicas: 1 },
      );
      await checkFingerprints(db, second, { acceptNew: false, replicas: 1 });
      await expect(checkFingerprints(db, first, { acceptNew: false, replicas: 1 })).rejects.toThrow(
        "another ENCRYPTION_KEY",
      );
      await checkFingerprints(db, first, { acceptNew: true, replicas: 1 });
      await checkFingerprints(db, first, { acceptNew: false, replicas: 1 });
    });

    test("tells one of several replicas to take the others' keys, and of two at once on an empty database refuses one", async () => {
      const db = await open();
      const secrets = await Promise.all(
        [FIRST_KEY, SECOND_KEY].map((key) => loadSecrets(settings({ ENCRYPTION_KEY: key }))),
      );
      const replicas = await Promise.allSettled(
        secrets.map((own) => checkFingerprints(db, own, { acceptNew: false, replicas: 2 })),
      );
      const refused = replicas.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : []));
      expect(refused).toEqual([expect.stringContaining("all replicas need the same ENCRYPTION_KEY")]);
      expect(refused.join()).not.toMatch(/lost or another|secrets\.json/);
    });
  });
});
