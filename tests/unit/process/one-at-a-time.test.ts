import { expect, test } from "vitest";
import { oneAtATime } from "@/lib/process/one-at-a-time";

test("whoever asks while work runs shares the one run after it; none runs beside another; a failure is told and passes", async () => {
  const ends: ((error?: Error) => void)[] = [];
  let atOnce = 0;
  let most = 0;
  const ask = oneAtATime(async () => {
    most = Math.max(most, ++atOnce);
    await new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  });
  const tick = () => new Promise((resolve) => setImmediate(resolve));
  const first = ask().finally(() => {
    atOnce -= 1;
  });
  const later = [ask(), ask(), ask()];
  expect(ends).toHaveLength(1);
  const failed = expect(first).rejects.toThrow("broken");
  ends[0]?.(new Error("broken"));
  await failed;
  await tick();
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await Promise.all(later);
  atOnce -= 1;
  const again = ask();
  await tick();
  expect(ends).toHaveLength(3);
  ends[2]?.();
  await again;
  expect(most).toBe(1);
});
