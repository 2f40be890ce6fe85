import { expect, test } from "vitest";
import { sourceText } from "./support/source-files";

interface LockedPackage {
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(sourceText("package-lock.json"));
const manifest: Record<"dependencies" | "devDependencies", Record<string, string>> = JSON.parse(
  sourceText("package.json"),
);

test("every optional platform package has an entry of its own, so that npm ci works on every platform", () => {
  const named = Object.values(lock.packages).flatMap((entry) =>
    Object.keys(entry.optionalDependencies ?? {}),
  );
  const present = new Set(Object.keys(lock.packages).map((place) => place.replace(/^.*node_modules\//, "")));
  expect(named.length).toBeGreaterThan(50);
  expect([...new Set(named)].filter((name) => !present.has(name))).toEqual([]);
});

test("the lock file records no download addresses, so that any registry serves it", () => {
  expect(Object.entries(lock.packages).filter(([, entry]) => entry.resolved?.startsWith("http"))).toEqual([]);
});

test("every direct dependency is pinned exactly", () => {
  const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(ranges.filter(([, range]) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});
