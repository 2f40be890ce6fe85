import { expect, test } from "vitest";
import { BoundedPool } from "@/lib/db/bounded-pool";

/** Source: docs/reliability.md#s2-12. */
test("a ping that fails because its connection was replaced with the others refuses no work on the new ones", async () => {
  let failPing = (_error: Error): void => {};
  let pingBegins = (): void => {};
  const begun = new Promise<void>((resolve) => {
    pingBegins = resolve;
  });
  const pool = new BoundedPool<object>({
    open: () => ({}),
    size: 2,
    ping: () =>
      new Promise((_, reject) => {
        failPing = reject;
        pingBegins();
      }),
    discard: () => {},
  });
  let finish = (_answer: string): void => {};
  const slow = pool.run(
    () =>
      new Promise<string>((resolve) => {
        finish = resolve;
      }),
  );
  await begun;
  pool.renew();
  failPing(new Error("its connection was replaced"));
  await new Promise(setImmediate); // the pool has read the answer of the ping
  expect(await pool.run(async () => "on a new connection")).toBe("on a new connection");
  finish("on the old connection");
  expect(await slow).toBe("on the old connection");
  pool.close();
});
