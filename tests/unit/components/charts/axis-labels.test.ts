import { expect, test } from "vitest";
import { valueAxisWidth } from "@/components/charts/axis-labels";
import { formatYuanTick } from "@/components/i18n/money";

test("a value axis has room for every label up to its top, however small the amounts", () => {
  for (const max of [0, 0.0000004, 0.0005, 0.37, 8, 12_345, 98_765_432]) {
    const room = valueAxisWidth(max, (yuan) => formatYuanTick(yuan, "en"));
    for (const part of [0, 0.25, 0.5, 0.75, 1])
      expect(room).toBeGreaterThan(7 * formatYuanTick(max * part, "en").length);
  }
});
