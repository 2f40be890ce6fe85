import { expect, test } from "vitest";
import { adminSpace } from "@/components/shell/admin-space";
import { consoleSpace, entriesOf, shortcutsOf } from "@/components/shell/navigation";

test.each([consoleSpace, adminSpace])("each page of $href has two keys of its own", (space) => {
  const keys = shortcutsOf(space).map((shortcut) => shortcut.keys);
  expect(keys).toHaveLength(entriesOf(space).length);
  expect(new Set(keys).size).toBe(keys.length);
  for (const one of keys) expect(one).toMatch(/^g [a-z]$/);
});
