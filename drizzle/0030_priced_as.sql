-- As in 0010: batches lock keys and users first.
LOCK TABLE "api_keys", "users" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
ALTER TABLE "model_prices" ADD COLUMN "more" jsonb;--> statement-breakpoint
ALTER TABLE "request_log" ADD COLUMN "priced_as" jsonb;--> statement-breakpoint
ALTER TABLE "usage_ledger" ADD COLUMN "priced_as" jsonb;
--> statement-breakpoint

-- Beside the function of 0029, which has one parameter less and which processes of the version before call.
-- One batch of settlements and holds, one transaction. Locks keys, then users, in id order; then settles; then
-- decides each hold in order of arrival. Every change of a hold or a ledger row is made under its key's lock.
--
-- p_keys, p_users    distinct ids, ascending; p_key_user[k] is the index of the owner of key k
-- p_settled          the requests of the settlements; p_unbilled: those that are not billed, NULL: none
-- p_settlements      ledger_settlement records with unit separators (U+001F) between them, NULL: none; p_usage and
--                    p_nodes likewise
-- p_priced           what else the cost of settlements was computed from: JSON by their n, NULL: nothing
-- settled[n]         1 settled, 2 settled after its hold had expired, 3 was settled before, 9 not done, send again;
--                    NULL: each 1
-- outcomes[n]        0 held, 1 key not usable, 2 account not active, 3 key quota, 4 account quota, 9 not done, send again;
--                    NULL: each 0, with its whole amount
-- amounts[n]         what is held; rooms[n], helds[n]: what was left and what is held on the level that refused
CREATE FUNCTION ledger_batch(
  p_keys uuid[], p_users uuid[], p_key_user integer[],
  p_settled uuid[], p_unbilled uuid[], p_settlements text, p_usage text, p_nodes text,
  p_holds uuid[], p_hold_keys integer[], p_hold_amounts bigint[],
  p_strict boolean, p_hold_seconds integer, p_instance text, p_priced text,
  OUT settled integer[], OUT outcomes integer[], OUT amounts bigint[], OUT rooms bigint[], OUT helds bigint[]
) LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off
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
  changed_keys uuid[] := p_keys;
  changed_users uuid[] := p_users;
  r record;
  k integer := 0;
  u integer := 0;
  amount bigint;
  key_room bigint;
  user_room bigint;
  outcome integer;
BEGIN
  FOR r IN
    SELECT id, user_id, quota_micro_cents AS quota, used_micro_cents AS used, held_micro_cents AS held,
      last_used_at AS last, status = 'active' AND deleted_at IS NULL
        AND (expires_at IS NULL OR expires_at > clock_timestamp()) AS ok
    FROM api_keys WHERE id = ANY(p_keys) ORDER BY id FOR NO KEY UPDATE
  LOOP
    k := k + 1;
    WHILE p_keys[k] <> r.id LOOP k := k + 1; END LOOP;
    IF r.user_id = p_users[p_key_user[k]] THEN
      key_ok[k] := r.ok;
      key_quota[k] := r.quota;
      key_used[k] := r.used;
      key_held[k] := r.held;
      key_last[k] := r.last;
    END IF;
  END LOOP;
  FOR r IN
    SELECT id, quota_micro_cents AS quota, used_micro_cents AS used, held_micro_cents AS held,
      request_count AS requests, status = 'active' AS ok
    FROM users WHERE id = ANY(p_users) ORDER BY id FOR NO KEY UPDATE
  LOOP
    u := u + 1;
    WHILE p_users[u] <> r.id LOOP u := u + 1; END LOOP;
    user_ok[u] := r.ok;
    user_quota[u] := r.quota;
    user_used[u] := r.used;
    user_held[u] := r.held;
    user_requests[u] := r.requests;
  END LOOP;

  IF p_settlements IS NOT NULL THEN
    BEGIN
      FOR r IN
        WITH input AS MATERIALIZED (
          SELECT s.*, p_keys[s.k] AS key_id, p_users[p_key_user[s.k]] AS user_id,
            h.state AS hold_state, h.amount_micro_cents AS hold_amount
          FROM unnest(string_to_array(p_settlements, E'\x1f')::ledger_settlement[]) AS s
          LEFT JOIN LATERAL (
            SELECT state, amount_micro_cents FROM usage_holds WHERE request_id = s.request_id LIMIT 1
          ) h ON true
        ), resolved AS (
          UPDATE usage_holds
          SET state = CASE WHEN request_id = ANY(p_unbilled) THEN 'released' ELSE 'settled' END, resolved_at = now()
          WHERE request_id = ANY(p_settled) AND state IS NOT DISTINCT FROM 'held' -- `=` would read the index of all open holds
        ), ledger AS (
          INSERT INTO usage_ledger (request_id, key_id, user_id, model, input_tokens, cache_read_tokens,
            cache_write_tokens, output_tokens, cost_micro_cents, price_version, billing_source, late, created_at,
            hosted_calls, priced_as)
          SELECT request_id, key_id, user_id, model, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens,
            cost, price_version, billing_source, hold_state IS NOT DISTINCT FROM 'expired', created_at, hosted_calls,
            p_priced::jsonb -> n::text
          FROM input
        ), log AS (
          INSERT INTO request_log (request_id, created_at, user_id, key_id, model, protocol, stream, status, http_status,
            error_code, error_message, prompt_tokens, completion_tokens, cache_read_tokens, cache_write_tokens,
            reasoning_tokens, usage_source, cost_micro_cents, would_have_cost_micro_cents, price_version,
            held_micro_cents, latency_ms, ttft_ms, attempt_count, node_id, warnings, attempts, timeline,
            client_request_id, user_agent, operation, hosted_calls, node_cost_micro_cents, priced_as)
          SELECT request_id, created_at, user_id, key_id, model, protocol, stream, status, http_status,
            error_code, error_message, input_tokens + cache_read_tokens + cache_write_tokens, output_tokens,
            cache_read_tokens, cache_write_tokens, reasoning_tokens, usage_source, cost, would_have_cost, price_version,
            held, latency_ms, ttft_ms, attempt_count, node_id, warnings, attempts, timeline,
            client_request_id, user_agent, coalesce(operation, 'generate'), hosted_calls, node_cost,
            p_priced::jsonb -> n::text
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
        IF r.late THEN
          settled := coalesce(settled, array_fill(1, ARRAY[cardinality(p_settled)]));
          settled[r.n] := 2;
        END IF;
      END LOOP;
    EXCEPTION WHEN unique_violation THEN
      SELECT array_agg(CASE WHEN EXISTS (SELECT 1 FROM usage_ledger l WHERE l.request_id = s.id) THEN 3 ELSE 9 END
        ORDER BY s.n) INTO settled
      FROM unnest(p_settled) WITH ORDINALITY AS s(id, n);
      outcomes := array_fill(9, ARRAY[coalesce(cardinality(p_holds), 0)]);
      RETURN;
    END;
  END IF;

  FOR i IN 1 .. coalesce(cardinality(p_holds), 0) LOOP
    k := p_hold_keys[i];
    u := p_key_user[k];
    amount := p_hold_amounts[i];
    outcome := 0;
    IF key_ok[k] IS NOT TRUE THEN
      outcome := 1;
    ELSIF user_ok[u] IS NOT TRUE THEN
      outcome := 2;
    ELSE
      key_room := key_quota[k] - key_used[k] - key_held[k];
      user_room := user_quota[u] - user_used[u] - user_held[u];
      IF amount > key_room OR amount > user_room THEN
        IF NOT p_strict AND key_room > 0 AND user_room > 0 AND key_held[k] = 0 AND user_held[u] = 0 THEN
          -- Last flight: alone on key and account, it takes all that is left.
          amount := least(key_room, user_room);
        ELSE
          outcome := CASE WHEN key_room <= user_room THEN 3 ELSE 4 END;
        END IF;
      END IF;
    END IF;
    IF outcome = 0 THEN
      key_held[k] := key_held[k] + amount;
      user_held[u] := user_held[u] + amount;
    END IF;
    IF outcomes IS NULL AND (outcome <> 0 OR amount <> p_hold_amounts[i]) THEN
      outcomes := array_fill(0, ARRAY[cardinality(p_holds)]);
      amounts := p_hold_amounts;
      rooms := array_fill(0::bigint, ARRAY[cardinality(p_holds)]);
      helds := rooms;
    END IF;
    IF outcomes IS NOT NULL THEN
      outcomes[i] := outcome;
      amounts[i] := CASE WHEN outcome = 0 THEN amount ELSE 0 END;
      rooms[i] := CASE outcome WHEN 3 THEN key_room WHEN 4 THEN user_room ELSE 0 END;
      helds[i] := CASE outcome WHEN 3 THEN key_held[k] WHEN 4 THEN user_held[u] ELSE 0 END;
    END IF;
  END LOOP;

  IF outcomes IS NULL THEN
    IF p_holds IS NOT NULL THEN
      INSERT INTO usage_holds (request_id, key_id, user_id, amount_micro_cents, state, owner_instance, created_at, expires_at)
      SELECT x.id, p_keys[x.k], p_users[p_key_user[x.k]], x.amount, 'held', p_instance, now(),
        now() + make_interval(secs => p_hold_seconds)
      FROM unnest(p_holds, p_hold_keys, p_hold_amounts) AS x(id, k, amount);
      -- Holds of nothing change no balance.
      IF p_settlements IS NULL AND 0 = ALL(p_hold_amounts) THEN
        changed_keys := NULL;
        changed_users := NULL;
      END IF;
    END IF;
  ELSE
    INSERT INTO usage_holds (request_id, key_id, user_id, amount_micro_cents, state, owner_instance, created_at, expires_at)
    SELECT x.id, p_keys[x.k], p_users[p_key_user[x.k]], x.amount, 'held', p_instance, now(),
      now() + make_interval(secs => p_hold_seconds)
    FROM unnest(p_holds, p_hold_keys, amounts, outcomes) AS x(id, k, amount, outcome)
    WHERE x.outcome = 0;
    -- Refused holds write nothing.
    SELECT array_agg(DISTINCT p_keys[c.k]), array_agg(DISTINCT p_users[p_key_user[c.k]]) INTO changed_keys, changed_users
    FROM (
      SELECT x.k FROM unnest(p_hold_keys, outcomes) AS x(k, outcome) WHERE x.outcome = 0
      UNION ALL
      SELECT x.k FROM unnest(string_to_array(p_usage, E'\x1f')::ledger_usage[]) AS x
    ) AS c;
  END IF;

  UPDATE api_keys SET (used_micro_cents, held_micro_cents, last_used_at) =
    (SELECT key_used[i], key_held[i], key_last[i] FROM array_position(p_keys, id) AS i)
  WHERE id = ANY(changed_keys);
  UPDATE users SET (used_micro_cents, held_micro_cents, request_count) =
    (SELECT user_used[i], user_held[i], user_requests[i] FROM array_position(p_users, id) AS i)
  WHERE id = ANY(changed_users);

  IF p_usage IS NOT NULL THEN
    INSERT INTO usage_rollups AS t (bucket, user_id, key_id, model, request_count, error_count, prompt_tokens,
      completion_tokens, cache_read_tokens, cache_write_tokens, cost_micro_cents, latency_sum_ms, latency_histogram,
      error_counts, cache_saving_micro_cents, cache_saving_tokens, node_cost_micro_cents, costed_count,
      costed_revenue_micro_cents)
    SELECT bucket, p_users[p_key_user[x.k]], p_keys[x.k], model, request_count, error_count, prompt_tokens,
      completion_tokens, cache_read_tokens, cache_write_tokens, cost, latency_sum_ms, latencies, errors, saving,
      saving_tokens, node_cost, costed_count, costed_revenue
    FROM unnest(string_to_array(p_usage, E'\x1f')::ledger_usage[]) AS x
    ON CONFLICT (user_id, bucket, key_id, model) DO UPDATE SET
      request_count = t.request_count + excluded.request_count,
      error_count = t.error_count + excluded.error_count,
      prompt_tokens = t.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = t.completion_tokens + excluded.completion_tokens,
      cache_read_tokens = t.cache_read_tokens + excluded.cache_read_tokens,
      cache_write_tokens = t.cache_write_tokens + excluded.cache_write_tokens,
      cost_micro_cents = t.cost_micro_cents + excluded.cost_micro_cents,
      latency_sum_ms = t.latency_sum_ms + excluded.latency_sum_ms,
      latency_histogram = int_array_add(t.latency_histogram, excluded.latency_histogram),
      error_counts = CASE WHEN excluded.error_count = 0 THEN t.error_counts
        ELSE int_array_add(t.error_counts, excluded.error_counts) END,
      cache_saving_micro_cents = t.cache_saving_micro_cents + excluded.cache_saving_micro_cents,
      cache_saving_tokens = t.cache_saving_tokens + excluded.cache_saving_tokens,
      node_cost_micro_cents = t.node_cost_micro_cents + excluded.node_cost_micro_cents,
      costed_count = t.costed_count + excluded.costed_count,
      costed_revenue_micro_cents = t.costed_revenue_micro_cents + excluded.costed_revenue_micro_cents;
  END IF;
  IF p_nodes IS NOT NULL THEN
    INSERT INTO node_rollups AS t (bucket, node_id, model, attempt_count, failure_count, prompt_tokens,
      completion_tokens, cost_micro_cents, latency_sum_ms, latency_histogram, node_cost_micro_cents, costed_count,
      costed_revenue_micro_cents)
    SELECT bucket, node_id, model, attempt_count, failure_count, prompt_tokens,
      completion_tokens, cost, latency_sum_ms, latencies, node_cost, costed_count, costed_revenue
    FROM unnest(string_to_array(p_nodes, E'\x1f')::ledger_node[])
    ON CONFLICT (node_id, bucket, model) DO UPDATE SET
      attempt_count = t.attempt_count + excluded.attempt_count,
      failure_count = t.failure_count + excluded.failure_count,
      prompt_tokens = t.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = t.completion_tokens + excluded.completion_tokens,
      cost_micro_cents = t.cost_micro_cents + excluded.cost_micro_cents,
      latency_sum_ms = t.latency_sum_ms + excluded.latency_sum_ms,
      latency_histogram = int_array_add(t.latency_histogram, excluded.latency_histogram),
      node_cost_micro_cents = t.node_cost_micro_cents + excluded.node_cost_micro_cents,
      costed_count = t.costed_count + excluded.costed_count,
      costed_revenue_micro_cents = t.costed_revenue_micro_cents + excluded.costed_revenue_micro_cents;
  END IF;
END $$;
