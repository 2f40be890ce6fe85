import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { recordsText, textArray } from "@/lib/db/batch-records";
import type { Database } from "@/lib/db/database";
import { storableJson } from "@/lib/db/storable-json";
import { forEachDatabase } from "@/tests/support/database";

await forEachDatabase((_kind, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await database.query("CREATE TYPE test_record AS (n integer, label text, tags text[], facts jsonb)");
  });

  const noNul = (text: string): string => text.replaceAll("\u0000", "");
  const anyText = fc.string({ unit: "binary", maxLength: 30 });

  test("any text, list of texts and JSON arrives in the database as it was", async () => {
    const row = fc.tuple(
      fc.integer({ min: -5, max: 5 }),
      fc.option(anyText),
      fc.array(anyText),
      fc.dictionary(anyText, anyText),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
        const clean = (text: string): string => text.replaceAll("\u0000", "").replaceAll("\u001f", "");
        const sent = recordsText(
          rows.map(([n, label, tags, facts]) => [n, label, textArray(tags), storableJson(facts)]),
        );
        const found = await database.query<{
          n: number;
          label: string | null;
          tags: string[];
          facts: object;
        }>("SELECT * FROM unnest(string_to_array($1, E'\\x1f')::test_record[])", [sent]);
        expect(found.map(({ n, label, tags }) => [n, label, tags])).toEqual(
          rows.map(([n, label, tags]) => [n, label === null ? null : clean(label), tags.map(clean)]),
        );
        for (const [index, [, , , facts]] of rows.entries()) {
          const expected = Object.entries(facts).map(([name, value]) => [noNul(name), noNul(value)]);
          expect(found[index]?.facts).toEqual(Object.fromEntries(expected));
        }
      }),
      { numRuns: 50 },
    );
  });

  test("no rows are null, not an empty record", () => {
    expect(recordsText([])).toBeNull();
  });
});
