import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findKeysByHash } from "@/lib/accounts/gateway-key";
import { closePasswordPool, PasswordPool } from "@/lib/accounts/password";
import { profileOf } from "@/lib/accounts/profile-of";
import { clearFailures, countAttempt, recordFailure, signIn } from "@/lib/accounts/sign-in";
import { createUser } from "@/lib/accounts/users";
import type { Database } from "@/lib/db/database";
import { plans } from "@/lib/db/schema/accounts";
import { forEachDatabaseInAll } from "@/tests/support/database";

afterAll(closePasswordPool);

await forEachDatabaseInAll((_kind, open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    await db.orm.insert(plans).values([
      { id: 1, name: "Free", qps: 2, rpm: 20, tpm: 40_000, keyQuotaMicroCents: 0n, selfService: true },
      { id: 4, name: "Enterprise", keyQuotaMicroCents: 0n },
    ]);
  });

  describe("registering", () => {
    test("makes an active account on the first self-service plan with its first grant", async () => {
      const user = await createUser(db, { username: "Alice", password: "secret" }, { quotaCents: 1000 });
      expect(profileOf(user)).toMatchObject({
        username: "Alice",
        role: "user",
        status: "active",
        quota: "1000",
        usedQuota: "0",
        usedExact: "0",
        held: "0",
        heldExact: "0",
        requestCount: "0",
        planId: 1,
        email: "",
      });
      expect(user.passwordHash).not.toContain("secret");
    });

    test("shows what is used and held exactly, beside whole cents that are rounded up", async () => {
      const user = await createUser(db, { username: "holder", password: "secret" }, { quotaCents: 1000 });
      const running = { ...user, usedMicroCents: 2_500_000n, heldMicroCents: 1n };
      expect(profileOf(running)).toMatchObject({ usedQuota: "3", usedExact: "2.5" });
      expect(profileOf(running)).toMatchObject({ held: "1", heldExact: "0.000001" });
    });

    test("refuses a name that differs in case only", async () => {
      const again = createUser(db, { username: "aLICE", password: "secret" }, { quotaCents: 0 });
      await expect(again).rejects.toMatchObject({ code: "CONFLICT" });
    });

    test("records who invited, and refuses an unknown invite code", async () => {
      const inviter = await createUser(db, { username: "inviter", password: "secret" }, { quotaCents: 0 });
      const invited = await createUser(
        db,
        { username: "invited", password: "secret", inviteCode: inviter.inviteCode },
        { quotaCents: 0 },
      );
      expect(invited.invitedBy).toBe(inviter.id);
      await expect(
        createUser(db, { username: "other", password: "secret", inviteCode: "nope" }, { quotaCents: 0 }),
      ).rejects.toMatchObject({ code: "INVALID_REQUEST", details: { param: "inviteCode" } });
    });
  });

  describe("signing in", () => {
    test("knows the name in any case and refuses a wrong password as it refuses an unknown name", async () => {
      expect((await signIn(db, "ALICE", "secret")).username).toBe("Alice");
      const compare = vi.spyOn(PasswordPool.prototype, "run");
      const wrong = await signIn(db, "alice", "wrong1").catch((error: unknown) => error);
      expect(compare).toHaveBeenCalledTimes(1);
      const unknown = await signIn(db, "nobody", "wrong1").catch((error: unknown) => error);
      expect(compare).toHaveBeenCalledTimes(2);
      compare.mockRestore();
      expect(wrong).toMatchObject({ code: "INVALID_CREDENTIALS" });
      expect(unknown).toMatchObject({ code: "INVALID_CREDENTIALS", message: (wrong as Error).message });
    });

    /** Source: docs/reliability.md#r-112. */
    test("waits longer after each failure beyond the fifth, and not at all after the right password", async () => {
      for (let failure = 0; failure < 5; failure += 1) await recordFailure(db, "slow");
      const first = await signIn(db, "slow", "x").catch((error: unknown) => error);
      expect(first).toMatchObject({ code: "RATE_LIMITED", details: { retryAfterSeconds: 1 } });
      for (let failure = 0; failure < 3; failure += 1) await recordFailure(db, "slow");
      const fourth = await signIn(db, "slow", "x").catch((error: unknown) => error);
      expect(fourth).toMatchObject({ details: { retryAfterSeconds: 8 } });
      for (let failure = 0; failure < 30; failure += 1) await recordFailure(db, "slow");
      const many = await signIn(db, "slow", "x").catch((error: unknown) => error);
      expect(many).toMatchObject({ details: { retryAfterSeconds: 60 } });
      await clearFailures(db.orm, "slow");
      await expect(signIn(db, "slow", "x")).rejects.toMatchObject({ code: "INVALID_CREDENTIALS" });
    });

    test("is counted per address and minute", async () => {
      for (let attempt = 0; attempt < 3; attempt += 1) await countAttempt(db, "login", "192.0.2.1", 3);
      await expect(countAttempt(db, "login", "192.0.2.1", 3)).rejects.toMatchObject({
        code: "RATE_LIMITED",
      });
      await countAttempt(db, "login", "192.0.2.2", 3);
      await countAttempt(db, "register", "192.0.2.1", 3);
    });
  });

  test("an unknown key hash finds nothing", async () => {
    expect((await findKeysByHash(db, ["00".repeat(32)])).size).toBe(0);
  });
});
