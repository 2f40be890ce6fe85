import { afterEach, describe, expect, test, vi } from "vitest";
import {
  closePasswordPool,
  hashPassword,
  PasswordPool,
  setPasswordHashCost,
  verifyPassword,
  verifyUnknownUser,
} from "@/lib/accounts/password";

afterEach(closePasswordPool);

describe("a password", () => {
  /** Source: docs/reliability.md#r-110. */
  test("matches its own hash and nothing else, whatever it is made of", async () => {
    setPasswordHashCost(4);
    const common = "x".repeat(80);
    for (const password of ["secret", `${common}1`, "a\0b", "пароль", "🔑🔑🔑"]) {
      const hash = await hashPassword(password);
      expect(hash).toMatch(/^\$2[aby]\$04\$/);
      expect(await verifyPassword(password, hash)).toBe(true);
      expect(await verifyPassword(`${password}x`, hash)).toBe(false);
    }
    expect(await verifyPassword(`${common}2`, await hashPassword(`${common}1`))).toBe(false);
    expect(await verifyPassword("a\0c", await hashPassword("a\0b"))).toBe(false);
  });

  test("is hashed at the cost that is set, by default 12; nobody's is compared at the same", async () => {
    expect(await hashPassword("secret")).toMatch(/^\$2b\$12\$/);
    setPasswordHashCost(5);
    expect(await hashPassword("secret")).toMatch(/^\$2b\$05\$/);
    const run = vi.spyOn(PasswordPool.prototype, "run");
    await verifyUnknownUser("whatever");
    expect(run.mock.calls).toMatchObject([[{ hash: expect.stringMatching(/^\$2b\$05\$/) }]]);
    run.mockRestore();
  });

  test("of nobody fails after about the time of a real comparison", async () => {
    const hash = await hashPassword("secret");
    const real = await timed(() => verifyPassword("wrong1", hash));
    const nobody = await timed(() => verifyUnknownUser("wrong1"));
    expect(nobody).toBeGreaterThan(real / 3);
    expect(await verifyUnknownUser("secret")).toBe(false);
  });

  /** Source: docs/reliability.md#r-111. */
  test("of nobody is compared with a real hash of the cost of all others", async () => {
    const run = vi.spyOn(PasswordPool.prototype, "run");
    await verifyUnknownUser("whatever");
    await verifyPassword("whatever", await hashPassword("secret"));
    const tasks = run.mock.calls.map(([task]) => task);
    run.mockRestore();
    const [nobody, , real] = tasks;
    for (const task of [nobody, real])
      expect(task).toMatchObject({
        kind: "compare",
        hash: expect.stringMatching(/^\$2b\$12\$[./A-Za-z0-9]{53}$/),
      });
    expect(nobody?.input).toBe(real?.input);
  });

  test("is hashed off the main thread", async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 5);
    await hashPassword("secret");
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(3);
  });
});

describe("the pool of password workers", () => {
  test("refuses work beyond its queue with a retry time, and finishes what it accepted", async () => {
    const pool = new PasswordPool(1, 2);
    const task = { kind: "hash", input: "x", cost: 10 } as const;
    const accepted = [pool.run(task), pool.run(task), pool.run(task)];
    await expect(pool.run(task)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    for (const hash of await Promise.all(accepted)) expect(hash).toMatch(/^\$2/);
    await pool.close();
  });

  test("admits no more callers than it can run or let wait, and others when those have ended", async () => {
    const pool = new PasswordPool(1, 2);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const inside = [0, 1, 2].map(() => pool.admit(() => ended));
    const untouched = vi.fn(async () => {});
    await expect(pool.admit(untouched)).rejects.toMatchObject({
      code: "RATE_LIMITED",
      details: { retryAfterSeconds: 2 },
    });
    expect(untouched).not.toHaveBeenCalled();
    end();
    await Promise.all(inside);
    await expect(pool.admit(() => Promise.reject(new Error("theirs")))).rejects.toThrow("theirs");
    expect(await pool.admit(async () => "in")).toBe("in");
    await pool.close();
  });

  test("passes a worker's failure on and goes on working", async () => {
    const pool = new PasswordPool(1, 2);
    const notANumber = "x" as unknown as number; // what the types rule out is the only way to make bcrypt fail
    await expect(pool.run({ kind: "hash", input: "x", cost: notANumber })).rejects.toThrow();
    expect(await pool.run({ kind: "hash", input: "x", cost: 4 })).toMatch(/^\$2/);
    await pool.close();
  });
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
