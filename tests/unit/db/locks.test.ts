import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { advisoryLocks } from "@/lib/db/locks";

const folder = path.join(process.cwd(), "drizzle");

/** The numbers that the functions of the schema lock. */
function numbersInSql(): number[] {
  const texts = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => readFileSync(path.join(folder, file), "utf8"));
  return texts.flatMap((text) =>
    [...text.matchAll(/pg_\w*advisory\w*\((\d+)[,)]/g)].map((found) => Number(found[1])),
  );
}

test("each number of an advisory lock has one purpose, those of the schema's functions too", () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect([...new Set(numbersInSql())]).toEqual([advisoryLocks.partitions, advisoryLocks.storedResponses]);
});
