import { expect, test } from "vitest";
import { LiveReplicas } from "@/lib/process/open-runtime";

test("limits are shared among the processes that live, and in the first minute among all that may be starting", () => {
  let now = 1_000;
  const replicas = new LiveReplicas(3, () => now);
  expect(replicas.count).toBe(3);
  replicas.setLiveCount(1);
  expect(replicas.count).toBe(3);
  replicas.setLiveCount(5);
  expect(replicas.count).toBe(5);
  now += 60_000;
  replicas.setLiveCount(2);
  expect(replicas.count).toBe(2);
  replicas.setLiveCount(0);
  expect(replicas.count).toBe(1);
});
