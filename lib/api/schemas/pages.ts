import { z } from "zod";
import { atMost, queryNumber } from "./fields";

/** The maximum page size. Source: docs/contract.md#s5. */
const MAX_PAGE_SIZE = 100;

/** The page parameters of a list. Source: docs/contract.md#s5 (lists). */
export const pageQuery = z.object({
  page: queryNumber(1, 100_000).prefault("1"),
  pageSize: queryNumber(1, MAX_PAGE_SIZE).prefault("20"),
});

/** The page parameters of a list that also supports a cursor. */
export const cursorQuery = pageQuery.extend({
  cursor: atMost(300, "is not a cursor of this list").optional(),
});
