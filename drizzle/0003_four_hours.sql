CREATE TABLE "rollup_progress" (
	"id" integer PRIMARY KEY NOT NULL,
	"folded_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage_rollups_4h" (
	"bucket" timestamp with time zone NOT NULL,
	"user_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"model" text NOT NULL,
	"request_count" bigint NOT NULL,
	"error_count" bigint NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"cache_read_tokens" bigint NOT NULL,
	"cache_write_tokens" bigint NOT NULL,
	"cost_micro_cents" bigint NOT NULL,
	"latency_sum_ms" bigint NOT NULL,
	"latency_histogram" integer[] NOT NULL,
	"error_counts" integer[] NOT NULL,
	CONSTRAINT "usage_rollups_4h_user_id_bucket_key_id_model_pk" PRIMARY KEY("user_id","bucket","key_id","model")
);
--> statement-breakpoint
CREATE INDEX "usage_rollups_4h_by_time" ON "usage_rollups_4h" USING btree ("bucket");--> statement-breakpoint
INSERT INTO rollup_progress (id, folded_until) VALUES (1, '1970-01-01T00:00:00Z');
--> statement-breakpoint

-- The 4-hour bucket of a moment.
CREATE FUNCTION four_hours_of(p_moment timestamptz) RETURNS timestamptz
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT date_bin('4 hours', p_moment, '2000-01-01T00:00:00Z') $$;
--> statement-breakpoint

-- Sums the 15-minute roll-ups of the next day with usage into 4-hour ones, up to two hours ago. Returns until when
-- they are complete; what is there already stays. Settlements into that time, which come late, are the trigger's below.
CREATE FUNCTION usage_rollups_fold() RETURNS timestamptz LANGUAGE plpgsql AS $$
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
    int_array_sum(latency_histogram), int_array_sum(error_counts)
  FROM usage_rollups WHERE bucket >= first AND bucket < last GROUP BY 1, 2, 3, 4;
  UPDATE rollup_progress SET folded_until = last;
  RETURN last;
END $$;
--> statement-breakpoint

-- A settlement that comes late, for a request of hours ago, changes a 4-hour bucket that is complete: it is summed
-- again. The lock makes it wait for a fold that runs, and a fold for it; two of one key wait for the key's lock.
CREATE FUNCTION usage_rollups_refold() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  done timestamptz;
  first timestamptz := four_hours_of(NEW.bucket);
BEGIN
  SELECT folded_until INTO done FROM rollup_progress FOR SHARE;
  IF NEW.bucket >= done THEN RETURN NULL; END IF;
  INSERT INTO usage_rollups_4h
  SELECT first, user_id, key_id, model, sum(request_count), sum(error_count), sum(prompt_tokens),
    sum(completion_tokens), sum(cache_read_tokens), sum(cache_write_tokens), sum(cost_micro_cents), sum(latency_sum_ms),
    int_array_sum(latency_histogram), int_array_sum(error_counts)
  FROM usage_rollups
  WHERE user_id = NEW.user_id AND bucket >= first AND bucket < first + interval '4 hours'
    AND key_id = NEW.key_id AND model = NEW.model
  GROUP BY 2, 3, 4
  ON CONFLICT (user_id, bucket, key_id, model) DO UPDATE SET
    request_count = excluded.request_count, error_count = excluded.error_count,
    prompt_tokens = excluded.prompt_tokens, completion_tokens = excluded.completion_tokens,
    cache_read_tokens = excluded.cache_read_tokens, cache_write_tokens = excluded.cache_write_tokens,
    cost_micro_cents = excluded.cost_micro_cents, latency_sum_ms = excluded.latency_sum_ms,
    latency_histogram = excluded.latency_histogram, error_counts = excluded.error_counts;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER usage_rollups_late AFTER INSERT OR UPDATE ON usage_rollups
  FOR EACH ROW WHEN (NEW.bucket < now() - interval '1 hour') EXECUTE FUNCTION usage_rollups_refold();
