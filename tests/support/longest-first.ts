import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const ROOT = path.resolve(import.meta.dirname, "../..");
const TIMES = path.join(ROOT, "tests", "file-times.json");

/**
 * Starts the slowest files first, so that no worker runs a long one at the end. The times are those
 * that `npm test -- --record` measured; a file without one comes first.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times: Record<string, number> = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, "utf8")) : {};
    const timeOf = ({ moduleId }: TestSpecification) =>
      times[path.relative(ROOT, moduleId)] ?? Number.POSITIVE_INFINITY;
    return [...files].sort((one, other) => {
      const [first, second] = [timeOf(one), timeOf(other)];
      return first === second ? 0 : second - first;
    });
  }
}
