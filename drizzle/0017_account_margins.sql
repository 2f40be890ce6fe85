-- As in 0010: batches lock keys and users first.
LOCK TABLE "api_keys", "users" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
ALTER TABLE "usage_rollups" ADD COLUMN "node_cost_micro_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_rollups" ADD COLUMN "costed_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_rollups" ADD COLUMN "costed_revenue_micro_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_rollups_4h" ADD COLUMN "node_cost_micro_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_rollups_4h" ADD COLUMN "costed_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_rollups_4h" ADD COLUMN "costed_revenue_micro_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint

CREATE TYPE usage_cost AS (k integer, bucket timestamptz, model text, cost bigint, requests bigint, revenue bigint);
--> statement-breakpoint

-- Adds what requests cost at their nodes to the roll-ups of keys, as usage_savings_add adds what the cache has saved.
-- Processes of the version before, which may run beside those of this one, do not call it: by account the cost of
-- their requests is not known.
--
-- p_keys, p_users, p_key_user as quota_batch; p_costs: usage_cost records with unit separators (U+001F) between them
CREATE FUNCTION usage_costs_add(p_keys uuid[], p_users uuid[], p_key_user integer[], p_costs text) RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
  UPDATE usage_rollups t SET
    node_cost_micro_cents = t.node_cost_micro_cents + x.cost,
    costed_count = t.costed_count + x.requests,
    costed_revenue_micro_cents = t.costed_revenue_micro_cents + x.revenue
  FROM unnest(string_to_array(p_costs, E'\x1f')::usage_cost[]) AS x
  WHERE t.user_id = p_users[p_key_user[x.k]] AND t.bucket = x.bucket AND t.key_id = p_keys[x.k] AND t.model = x.model;
  RETURN 0;
END $$;
--> statement-breakpoint

-- As in 0010, with what the nodes cost.
CREATE OR REPLACE FUNCTION usage_rollups_fold() RETURNS timestamptz LANGUAGE plpgsql AS $$
DECLARE
  done timestamptz;
  first timestamptz;
  last timestamptz;
BEGIN
  SELECT folded_until INTO done FROM rollup_progress FOR UPDATE;
  SELECT four_hours_of(min(bucket)) INTO first FROM usage_rollups WHERE bucket >= done;
  last := least(first + interval '24 hours', four_hours_of(now() - interval '2 hours'));
  IF first IS NULL OR last <= done THEN RETURN done; END IF;
  INSERT INTO usage_rollups_4h
  SELECT four_hours_of(bucket), user_id, key_id, model, sum(request_count), sum(error_count), sum(prompt_tokens),
    sum(completion_tokens), sum(cache_read_tokens), sum(cache_write_tokens), sum(cost_micro_cents), sum(latency_sum_ms),
    int_array_sum(latency_histogram), int_array_sum(error_counts),
    sum(cache_saving_micro_cents), sum(cache_saving_tokens),
    sum(node_cost_micro_cents), sum(costed_count), sum(costed_revenue_micro_cents)
  FROM usage_rollups WHERE bucket >= first AND bucket < last GROUP BY 1, 2, 3, 4;
  UPDATE rollup_progress SET folded_until = last;
  RETURN last;
END $$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION usage_rollups_refold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  done timestamptz;
  first timestamptz := four_hours_of(NEW.bucket);
BEGIN
  SELECT folded_until INTO done FROM rollup_progress FOR SHARE;
  IF NEW.bucket >= done THEN RETURN NULL; END IF;
  INSERT INTO usage_rollups_4h
  SELECT first, user_id, key_id, model, sum(request_count), sum(error_count), sum(prompt_tokens),
    sum(completion_tokens), sum(cache_read_tokens), sum(cache_write_tokens), sum(cost_micro_cents), sum(latency_sum_ms),
    int_array_sum(latency_histogram), int_array_sum(error_counts),
    sum(cache_saving_micro_cents), sum(cache_saving_tokens),
    sum(node_cost_micro_cents), sum(costed_count), sum(costed_revenue_micro_cents)
  FROM usage_rollups
  WHERE user_id = NEW.user_id AND bucket >= first AND bucket < first + interval '4 hours'
    AND key_id = NEW.key_id AND model = NEW.model
  GROUP BY 2, 3, 4
  ON CONFLICT (user_id, bucket, key_id, model) DO UPDATE SET
    request_count = excluded.request_count, error_count = excluded.error_count,
    prompt_tokens = excluded.prompt_tokens, completion_tokens = excluded.completion_tokens,
    cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens,
    cost_micro_cents = excluded.cost_micro_cents, latency_sum_ms = excluded.latency_sum_ms,
    latency_histogram = excluded.latency_histogram, error_counts = excluded.error_counts,
    cache_saving_micro_cents = excluded.cache_saving_micro_cents, cache_saving_tokens = excluded.cache_saving_tokens,
    node_cost_micro_cents = excluded.node_cost_micro_cents, costed_count = excluded.costed_count,
    costed_revenue_micro_cents = excluded.costed_revenue_micro_cents;
  RETURN NULL;
END $$;
