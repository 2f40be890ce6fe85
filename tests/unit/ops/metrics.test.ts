import { expect, test } from "vitest";
import { Metrics } from "@/lib/ops/metrics";

const sample = {
  protocol: "chat",
  model: "small",
  status: "success",
  latencyMs: 20,
  ttftMs: null,
  usage: { inputUncached: 60, cacheRead: 10, cacheWrite: 0, output: 200, reasoning: 0 },
  costMicroCents: 2_500_000n,
} as const;

test("what requests add is in the metrics of every scrape, once", async () => {
  const metrics = new Metrics();
  metrics.replied({ protocol: "chat" }, 200);
  metrics.replied({ protocol: "chat" }, 200);
  metrics.replied({ protocol: "messages" }, 429);
  metrics.settled(sample);
  metrics.settled({ ...sample, status: "error", latencyMs: 301_000, ttftMs: 5 });
  metrics.refused("flood");
  metrics.refusedFor("key-lookup");
  metrics.overran("small", 500_000n);
  metrics.budgetRefused({ scope: "plan", unit: "money", mode: "hard" });
  metrics.budgetOverran({ unit: "money" }, 2_500_000n);
  metrics.budgetOverran({ unit: "tokens" }, 40n);
  await metrics.text();
  const lines = (await metrics.text()).split("\n");
  const expected = [
    'tollgate_replies_total{protocol="chat",status="200"} 2',
    'tollgate_replies_total{protocol="messages",status="429"} 1',
    'tollgate_requests_total{protocol="chat",model="small",status="success"} 1',
    'tollgate_requests_total{protocol="chat",model="small",status="error"} 1',
    'tollgate_tokens_total{model="small",kind="prompt"} 140',
    'tollgate_tokens_total{model="small",kind="completion"} 400',
    'tollgate_cost_cents_total{model="small"} 5',
    'tollgate_unrecorded_refusals_total{reason="flood"} 1',
    'tollgate_refusals_total{reason="key-lookup"} 1',
    'tollgate_overrun_cents_total{model="small"} 0.5',
    'tollgate_budget_refusals_total{scope="plan",unit="money",mode="hard"} 1',
    'tollgate_budget_overrun_total{unit="money"} 2.5',
    'tollgate_budget_overrun_total{unit="tokens"} 40',
    "# TYPE tollgate_latency_seconds histogram",
    'tollgate_latency_seconds_bucket{le="0.01",protocol="chat"} 0',
    'tollgate_latency_seconds_bucket{le="0.025",protocol="chat"} 1',
    'tollgate_latency_seconds_bucket{le="300",protocol="chat"} 1',
    'tollgate_latency_seconds_bucket{le="+Inf",protocol="chat"} 2',
    'tollgate_latency_seconds_sum{protocol="chat"} 301.02',
    'tollgate_latency_seconds_count{protocol="chat"} 2',
    'tollgate_ttft_seconds_bucket{le="0.005",protocol="chat"} 1',
    'tollgate_ttft_seconds_count{protocol="chat"} 1',
  ];
  expect(lines).toEqual(expect.arrayContaining(expected));
});
