import { expect, test } from "vitest";
import { sourceFiles } from "./support/source-files";
import { subjectsOf } from "./support/subjects";

/** A constant, a type or a one-line helper beside its subject makes no second one. */
const LINES_OF_A_SUBJECT = 8;
/** Files of more than one subject. Both only fall. */
const MOST = { lib: 37, components: 48 };

test.each(Object.entries(MOST))("files of %s have one subject each, but for %i", (folder, most) => {
  const files = sourceFiles(new RegExp(`^${folder}/.*\\.tsx?$`)).filter((file) => {
    const large = subjectsOf(file).filter(({ lines }) => lines >= LINES_OF_A_SUBJECT);
    return large.length > 1;
  });
  const names = files.map(({ path }) => path);
  expect(names.length, `More than ${most} files: ${names.join(", ")}`).toBeLessThanOrEqual(most);
});

test("exports that use one another, or the same helper, are one subject", () => {
  const text = [
    "const shared = 1;",
    "export const one = () => shared;",
    "export function two() {",
    "  return shared;",
    "}",
    "export interface Three {",
    "  two: string;",
    "}",
    "export const { four, five } = { four: one, five: 5 };",
    "export class Six {}",
  ].join("\n");
  const names = subjectsOf({ path: "lib/x.ts", text }).map((subject) => subject.names.sort().join(" "));
  expect(names.sort()).toEqual(["Six", "Three", "five four one shared two"]);
});
