import { describe, expect, test } from "vitest";
import { planOf } from "@/bench/log/explain";
import { scans } from "@/bench/log/report";

const PAGE = `Limit  (cost=0.55..40.6 rows=21 width=263) (actual time=0.03..0.07 rows=21 loops=1)
  ->  Append  (cost=0.55..40.6 rows=50000 width=263) (actual time=0.03..0.06 rows=21 loops=1)
        ->  Index Scan Backward using request_log_20261116_user on request_log_20261116 request_log_5  (cost=0.3..9 rows=9 width=2) (actual time=0.03..0.05 rows=21 loops=1)
        ->  Index Scan Backward using request_log_20261109_user on request_log_20261109 request_log_4  (never executed)`;

const SCAN = `Aggregate  (cost=1..2 rows=1 width=8) (actual time=9..9 rows=1 loops=1)
  ->  Seq Scan on request_log_20261116 request_log_5  (cost=0..9 rows=9 width=2) (actual time=0.1..8 rows=2000 loops=1)
        Filter: (status = 'error'::text)
        Rows Removed by Filter: 98000
        Buffers: shared hit=99
  ->  Parallel Seq Scan on request_log_20261109 request_log_4  (cost=0..9 rows=9 width=2) (actual time=0.1..8 rows=10 loops=3)`;

describe("a plan", () => {
  test("of a bounded page has read its rows and scanned nothing", () => {
    expect(planOf(PAGE)).toMatchObject({ readLogRows: 21, scannedLogRows: 0 });
  });

  test("of a scan counts the rows its filter threw away, and every worker's", () => {
    expect(planOf(SCAN)).toMatchObject({ readLogRows: 100_030, scannedLogRows: 100_030 });
  });

  test("that scans the log is reported, a bounded one is not", () => {
    const result = { rows: 1e5, fillSeconds: 1, asked: [], settledPerSecond: 1, pages: null };
    const plans = [
      { endpoint: "page", plans: [planOf(PAGE)] },
      { endpoint: "count", plans: [planOf(SCAN)] },
    ];
    expect(scans([{ ...result, plans }])).toEqual([
      "count with 100000 rows: 100030 rows of the log were read",
    ]);
  });
});
