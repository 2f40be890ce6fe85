import { expect, test } from "vitest";
import { importsOf, type SourceFile, sourceFiles } from "@/tests/support/source-files";

const files = new Map(
  sourceFiles(/^(app|components)\/.*\.tsx?$/).map((file) => [file.path.replace(/\.tsx?$/, ""), file]),
);

/** The files that a page is made of, loaded at once or later. */
function partsOf(page: SourceFile): SourceFile[] {
  const parts = new Set([page]);
  for (const part of parts)
    for (const { target, typeOnly } of importsOf(part)) {
      const found = files.get(target);
      if (found !== undefined && !typeOnly) parts.add(found);
    }
  return [...parts];
}

const wordsIn = (call: RegExp, { text }: SourceFile): string[] =>
  [...text.matchAll(call)].flatMap(([, names = ""]) =>
    [...names.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name),
  );

/** The layouts around a page send their words too. */
function layoutsOf(page: SourceFile): SourceFile[] {
  const folders = page.path.split("/").slice(0, -1);
  return folders.flatMap((_, index) => files.get(`${folders.slice(0, index + 1).join("/")}/layout`) ?? []);
}

/** Parts that a page loads and never shows, by area and part. */
const neverShown: Record<string, readonly string[]> = {
  "keys in components/keys/key-cells.tsx": ["app/admin/users/page.tsx"],
  "logs in components/logs/account-filter.tsx": ["app/console/usage/page.tsx"],
  "billing in components/billing/statement-tables.tsx": ["app/console/projects/[id]/page.tsx"],
  // Their forms send no record that somebody else could change.
  "audit in components/changes/use-change-words.ts": [
    "admin/logs",
    "console/keys",
    "console/kitchen",
    "console/logs",
    "console/settings",
  ].map((name) => `app/${name}/page.tsx`),
};

/** Every form could have a field for a password; pages whose forms have one send its words. */
const ofPasswords = "auth in components/ui/password-input.tsx";

const isShown = (page: SourceFile, gap: string): boolean =>
  gap !== ofPasswords && !neverShown[gap]?.includes(page.path);

const sent = (file: SourceFile) => wordsIn(/pick(?:Admin)?Messages\(([^)]*)\)/g, file);

test("each page is sent the words that its parts ask for", () => {
  const missing: Record<string, string[]> = {};
  for (const page of [...files.values()].filter(({ path }) => /\/page\.tsx$/.test(path))) {
    const around = [page, ...layoutsOf(page)].flatMap(partsOf);
    const has = new Set(["common", ...around.flatMap(sent)]);
    const asked = partsOf(page).flatMap((part) =>
      wordsIn(/\buseMessages\(("\w+")\)/g, part).map((area) => [area, part.path]),
    );
    const gaps = asked.filter(([area = ""]) => !has.has(area)).map(([area, path]) => `${area} in ${path}`);
    const shown = [...new Set(gaps)].filter((gap) => isShown(page, gap));
    if (shown.length > 0) missing[page.path] = shown;
  }
  expect(missing).toEqual({});
});
