ALTER TABLE "routes" ADD COLUMN "cost" jsonb;--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "node_cost_micro_cents" bigint;--> statement-breakpoint
ALTER TABLE "node_rollups" ADD COLUMN "node_cost_micro_cents" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "node_rollups" ADD COLUMN "costed_count" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "node_rollups" ADD COLUMN "costed_revenue_micro_cents" bigint DEFAULT 0 NOT NULL;
--> statement-breakpoint

-- quota_batch gets one more argument. Processes of the version before, which may run beside those of this one, call it
-- without: of their requests the cost of the node is not known.
DROP FUNCTION quota_batch(uuid[], uuid[], integer[], text, text, text, integer, integer, uuid[], integer[], bigint[],
  boolean, integer, text, text[], jsonb[]);
--> statement-breakpoint

-- One batch of settlements and holds, one transaction. Locks keys, then users, in id order; then settles; then
-- decides each hold in order of arrival. Every change of a hold or a ledger row is made under its key's lock.
--
-- p_keys, p_users    distinct ids, ascending; p_key_user[k] is the index of the owner of key k
-- p_settlements      quota_settlement records with unit separators (U+001F) between them; the roll-ups likewise
-- p_buckets, p_codes lengths of a latency histogram and of an error counter
-- p_operations[n]    what settlement n asked for; NULL: every one generated
-- p_hosted_calls[n]  how often settlement n had each tool run; NULL: none of them any
-- p_node_costs[n]    what settlement n costs at the node that answered, NULL: not known; NULL: of none of them
-- settled[n]         1 settled, 2 settled after its hold had expired, 3 was settled before, 9 not done, send again
-- outcomes[n]        0 held, 1 key not usable, 2 account not active, 3 key quota, 4 account quota, 9 not done, send again
-- amounts[n]         what is held; rooms[n], helds[n]: what was left and what is held on the level that refused
CREATE FUNCTION quota_batch(
  p_keys uuid[], p_users uuid[], p_key_user integer[],
  p_settlements text, p_usage_rollups text, p_node_rollups text, p_buckets integer, p_codes integer,
  p_hold_ids uuid[], p_hold_keys integer[], p_hold_amounts bigint[],
  p_strict boolean, p_hold_seconds integer, p_instance text, p_operations text[] DEFAULT NULL,
  p_hosted_calls jsonb[] DEFAULT NULL, p_node_costs bigint[] DEFAULT NULL,
  OUT settled integer[], OUT outcomes integer[], OUT amounts bigint[], OUT rooms bigint[], OUT helds bigint[]
) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET jit = off
AS $$
DECLARE
  key_ok boolean[] := array_fill(NULL::boolean, ARRAY[cardinality(p_keys)]);
  key_quota bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_keys)]);
  key_used bigint[] := key_quota;
  key_held bigint[] := key_quota;
  key_last timestamptz[] := array_fill(NULL::timestamptz, ARRAY[cardinality(p_keys)]);
  user_ok boolean[] := array_fill(NULL::boolean, ARRAY[cardinality(p_users)]);
  user_quota bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_users)]);
  user_used bigint[] := user_quota;
  user_held bigint[] := user_quota;
  user_requests bigint[] := user_quota;
  r record;
  k integer;
  u integer;
  amount bigint;
  key_room bigint;
  user_room bigint;
BEGIN
  settled := '{}'; outcomes := '{}'; amounts := '{}'; rooms := '{}'; helds := '{}';

  FOR r IN
    SELECT x.i, a.quota_micro_cents AS quota, a.used_micro_cents AS used, a.held_micro_cents AS held, a.last_used_at AS last,
      a.status = 'active' AND a.deleted_at IS NULL
        AND (a.expires_at IS NULL OR a.expires_at > clock_timestamp()) AS ok
    FROM unnest(p_keys, p_key_user) WITH ORDINALITY AS x(id, u, i)
    JOIN api_keys a ON a.id = x.id AND a.user_id = p_users[x.u]
    ORDER BY a.id FOR NO KEY UPDATE OF a
  LOOP
    key_ok[r.i] := r.ok;
    key_quota[r.i] := r.quota;
    key_used[r.i] := r.used;
    key_held[r.i] := r.held;
    key_last[r.i] := r.last;
  END LOOP;
  FOR r IN
    SELECT x.i, a.quota_micro_cents AS quota, a.used_micro_cents AS used, a.held_micro_cents AS held,
      a.request_count AS requests, a.status = 'active' AS ok
    FROM unnest(p_users) WITH ORDINALITY AS x(id, i)
    JOIN users a ON a.id = x.id
    ORDER BY a.id FOR NO KEY UPDATE OF a
  LOOP
    user_ok[r.i] := r.ok;
    user_quota[r.i] := r.quota;
    user_used[r.i] := r.used;
    user_held[r.i] := r.held;
    user_requests[r.i] := r.requests;
  END LOOP;

  IF p_settlements IS NOT NULL THEN
    BEGIN
      FOR r IN
        WITH input AS MATERIALIZED (
          SELECT s.*, p_keys[s.k] AS key_id, p_users[p_key_user[s.k]] AS user_id,
            h.state AS hold_state, h.amount_micro_cents AS hold_amount
          FROM unnest(string_to_array(p_settlements, E'\x1f')::quota_settlement[]) AS s
          LEFT JOIN usage_holds h ON h.request_id = s.request_id
        ), resolved AS (
          UPDATE usage_holds h
          SET state = CASE WHEN i.billing_source = 'none' THEN 'released' ELSE 'settled' END, resolved_at = now()
          FROM input i WHERE h.request_id = i.request_id AND i.hold_state = 'held'
        ), ledger AS (
          INSERT INTO usage_ledger (request_id, key_id, user_id, model, input_tokens, cache_read_tokens,
            cache_write_tokens, output_tokens, cost_micro_cents, price_version, billing_source, late, created_at,
            hosted_calls)
          SELECT request_id, key_id, user_id, model, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens,
            cost, price_version, billing_source, hold_state IS NOT DISTINCT FROM 'expired', created_at, p_hosted_calls[n]
          FROM input
        ), log AS (
          INSERT INTO request_log (request_id, created_at, user_id, key_id, model, protocol, stream, status, http_status,
            error_code, error_message, prompt_tokens, completion_tokens, cache_read_tokens, cache_write_tokens,
            reasoning_tokens, usage_source, cost_micro_cents, would_have_cost_micro_cents, price_version,
            held_micro_cents, latency_ms, ttft_ms, attempt_count, node_id, warnings, attempts, timeline,
            client_request_id, user_agent, operation, hosted_calls, node_cost_micro_cents)
          SELECT request_id, created_at, user_id, key_id, model, protocol, stream, status, http_status,
            error_code, error_message, input_tokens + cache_read_tokens + cache_write_tokens, output_tokens,
            cache_read_tokens, cache_write_tokens, reasoning_tokens, usage_source, cost, would_have_cost, price_version,
            held, latency_ms, ttft_ms, attempt_count, node_id, warnings, attempts, timeline,
            client_request_id, user_agent, coalesce(p_operations[n], 'generate'), p_hosted_calls[n], p_node_costs[n]
          FROM input
        )
        SELECT n, input.k AS key_index, cost, created_at, hold_state = 'expired' AS late,
          CASE WHEN hold_state = 'held' THEN hold_amount ELSE 0 END AS freed
        FROM input
      LOOP
        k := r.key_index;
        u := p_key_user[k];
        IF key_ok[k] IS NULL OR user_ok[u] IS NULL THEN
          RAISE EXCEPTION 'no key % of account %', p_keys[k], p_users[u] USING ERRCODE = '22023';
        END IF;
        key_used[k] := key_used[k] + r.cost;
        key_held[k] := key_held[k] - r.freed;
        key_last[k] := greatest(key_last[k], r.created_at);
        user_used[u] := user_used[u] + r.cost;
        user_held[u] := user_held[u] - r.freed;
        user_requests[u] := user_requests[u] + 1;
        settled[r.n] := CASE WHEN r.late THEN 2 ELSE 1 END;
      END LOOP;
    EXCEPTION WHEN unique_violation THEN
      SELECT array_agg(CASE WHEN l.request_id IS NULL THEN 9 ELSE 3 END ORDER BY s.n) INTO settled
      FROM unnest(string_to_array(p_settlements, E'\x1f')::quota_settlement[]) AS s
      LEFT JOIN usage_ledger l ON l.request_id = s.request_id;
      outcomes := array_fill(9, ARRAY[cardinality(p_hold_ids)]);
      RETURN;
    END;
  END IF;

  FOR i IN 1 .. cardinality(p_hold_ids) LOOP
    k := p_hold_keys[i];
    u := p_key_user[k];
    amounts[i] := 0; rooms[i] := 0; helds[i] := 0;
    IF key_ok[k] IS NOT TRUE THEN
      outcomes[i] := 1;
    ELSIF user_ok[u] IS NOT TRUE THEN
      outcomes[i] := 2;
    ELSE
      amount := p_hold_amounts[i];
      key_room := key_quota[k] - key_used[k] - key_held[k];
      user_room := user_quota[u] - user_used[u] - user_held[u];
      IF amount <= key_room AND amount <= user_room THEN
        outcomes[i] := 0;
      ELSIF NOT p_strict AND key_room > 0 AND user_room > 0 AND key_held[k] = 0 AND user_held[u] = 0 THEN
        -- Last flight: alone on key and account, it takes all that is left.
        outcomes[i] := 0;
        amount := least(key_room, user_room);
      ELSIF key_room <= user_room THEN
        outcomes[i] := 3; rooms[i] := key_room; helds[i] := key_held[k];
      ELSE
        outcomes[i] := 4; rooms[i] := user_room; helds[i] := user_held[u];
      END IF;
      IF outcomes[i] = 0 THEN
        amounts[i] := amount;
        key_held[k] := key_held[k] + amount;
        user_held[u] := user_held[u] + amount;
      END IF;
    END IF;
  END LOOP;

  IF cardinality(p_hold_ids) > 0 THEN
    INSERT INTO usage_holds (request_id, key_id, user_id, amount_micro_cents, state, owner_instance, created_at, expires_at)
    SELECT x.id, p_keys[x.k], p_users[p_key_user[x.k]], x.amount, 'held', p_instance, now(),
      now() + make_interval(secs => p_hold_seconds)
    FROM unnest(p_hold_ids, p_hold_keys, amounts, outcomes) AS x(id, k, amount, outcome)
    WHERE x.outcome = 0;
  END IF;

  UPDATE api_keys a SET used_micro_cents = x.used, held_micro_cents = x.held, last_used_at = x.last
  FROM unnest(p_keys, key_used, key_held, key_last, key_ok) AS x(id, used, held, last, ok)
  WHERE a.id = x.id AND x.ok IS NOT NULL
    AND (a.used_micro_cents, a.held_micro_cents, a.last_used_at) IS DISTINCT FROM (x.used, x.held, x.last);
  UPDATE users a SET used_micro_cents = x.used, held_micro_cents = x.held, request_count = x.requests
  FROM unnest(p_users, user_used, user_held, user_requests, user_ok) AS x(id, used, held, requests, ok)
  WHERE a.id = x.id AND x.ok IS NOT NULL
    AND (a.used_micro_cents, a.held_micro_cents, a.request_count) IS DISTINCT FROM (x.used, x.held, x.requests);

  IF p_usage_rollups IS NOT NULL THEN
    -- Every writer of a roll-up holds its key's lock, so nobody inserts between the update and the insert.
    WITH input AS MATERIALIZED (
      SELECT x.*, p_users[p_key_user[x.k]] AS user_id, p_keys[x.k] AS key_id
      FROM unnest(string_to_array(p_usage_rollups, E'\x1f')::quota_usage_rollup[]) AS x
    ), changed AS (
      UPDATE usage_rollups t SET
        request_count = t.request_count + x.request_count,
        error_count = t.error_count + x.error_count,
        prompt_tokens = t.prompt_tokens + x.prompt_tokens,
        completion_tokens = t.completion_tokens + x.completion_tokens,
        cache_read_tokens = t.cache_read_tokens + x.cache_read_tokens,
        cache_write_tokens = t.cache_write_tokens + x.cache_write_tokens,
        cost_micro_cents = t.cost_micro_cents + x.cost,
        latency_sum_ms = t.latency_sum_ms + x.latency_sum_ms,
        latency_histogram = int_array_bump(t.latency_histogram, x.latencies),
        error_counts = CASE WHEN x.error_count = 0 THEN t.error_counts ELSE int_array_bump(t.error_counts, x.errors) END
      FROM input x
      WHERE t.user_id = x.user_id AND t.bucket = x.bucket AND t.key_id = x.key_id AND t.model = x.model
      RETURNING x.n
    )
    INSERT INTO usage_rollups (bucket, user_id, key_id, model, request_count, error_count, prompt_tokens,
      completion_tokens, cache_read_tokens, cache_write_tokens, cost_micro_cents, latency_sum_ms, latency_histogram, error_counts)
    SELECT bucket, user_id, key_id, model, request_count, error_count, prompt_tokens,
      completion_tokens, cache_read_tokens, cache_write_tokens, cost, latency_sum_ms,
      int_array_bump(array_fill(0, ARRAY[p_buckets]), latencies), int_array_bump(array_fill(0, ARRAY[p_codes]), errors)
    FROM input x WHERE NOT EXISTS (SELECT 1 FROM changed c WHERE c.n = x.n);
  END IF;
  IF p_node_rollups IS NOT NULL THEN
    INSERT INTO node_rollups AS t (bucket, node_id, model, attempt_count, failure_count, prompt_tokens,
      completion_tokens, cost_micro_cents, latency_sum_ms, latency_histogram)
    SELECT bucket, node_id, model, attempt_count, failure_count, prompt_tokens,
      completion_tokens, cost, latency_sum_ms, int_array_bump(array_fill(0, ARRAY[p_buckets]), latencies)
    FROM unnest(string_to_array(p_node_rollups, E'\x1f')::quota_node_rollup[])
    ON CONFLICT (node_id, bucket, model) DO UPDATE SET
      attempt_count = t.attempt_count + excluded.attempt_count,
      failure_count = t.failure_count + excluded.failure_count,
      prompt_tokens = t.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = t.completion_tokens + excluded.completion_tokens,
      cost_micro_cents = t.cost_micro_cents + excluded.cost_micro_cents,
      latency_sum_ms = t.latency_sum_ms + excluded.latency_sum_ms,
      latency_histogram = int_array_add(t.latency_histogram, excluded.latency_histogram);
  END IF;
END $$;
--> statement-breakpoint

CREATE TYPE node_cost AS (node_id uuid, bucket timestamptz, model text, cost bigint, requests bigint, revenue bigint);
--> statement-breakpoint

-- Adds what requests cost at their nodes to the roll-ups that a batch of quota_batch has just written, in its transaction,
-- under the locks that it holds.
--
-- p_costs: node_cost records with unit separators (U+001F) between them
CREATE FUNCTION node_costs_add(p_costs text) RETURNS integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_mergejoin = off SET jit = off
AS $$
BEGIN
  UPDATE node_rollups t SET
    node_cost_micro_cents = t.node_cost_micro_cents + x.cost,
    costed_count = t.costed_count + x.requests,
    costed_revenue_micro_cents = t.costed_revenue_micro_cents + x.revenue
  FROM unnest(string_to_array(p_costs, E'\x1f')::node_cost[]) AS x
  WHERE t.node_id = x.node_id AND t.bucket = x.bucket AND t.model = x.model;
  RETURN 0;
END $$;
