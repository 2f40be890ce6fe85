import { describe, expect, it } from "vitest";
import { pageOf } from "@/lib/gateway/show-models";

const all = Array.from({ length: 2_345 }, (_, index) => ({ alias: `m-${String(index).padStart(4, "0")}` }));
const page = (query: string) => pageOf(all, new URLSearchParams(query));

describe("a page of the models", () => {
  it.each(["", "purpose=unknown"])("is the whole list when no page is asked for (%j)", (query) => {
    expect(page(query)).toEqual({ page: all, hasMore: false });
  });

  it("has at most 1,000 models when one is asked for, and says whether there are more", () => {
    expect(page("limit=1000")).toEqual({ page: all.slice(0, 1_000), hasMore: true });
    expect(page("after_id=m-0999")).toEqual({ page: all.slice(1_000, 2_000), hasMore: true });
    expect(page("after=m-1999")).toEqual({ page: all.slice(2_000), hasMore: false });
    expect(page("before_id=m-1500")).toEqual({ page: all.slice(500, 1_500), hasMore: true });
    expect(page("limit=2&after_id=m-0000")).toEqual({ page: all.slice(1, 3), hasMore: true });
  });

  it.each(["0", "1001", "5000", "-1", "1.5", "1e3", "0x10", " 5", "", "all"])(
    "with a limit of %j is refused, and told what would be right",
    (limit) => {
      const message = "limit must be a whole number from 1 to 1000.";
      const refusal = expect.objectContaining({ code: "INVALID_REQUEST", message });
      expect(() => page(`limit=${encodeURIComponent(limit)}`)).toThrow(refusal);
    },
  );
});
