-- Rows that are updated all the time keep room on their page, so that an update touches no index.
ALTER TABLE users SET (fillfactor = 60);
--> statement-breakpoint
ALTER TABLE api_keys SET (fillfactor = 60);
--> statement-breakpoint
ALTER TABLE usage_rollups SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE node_rollups SET (fillfactor = 70);
--> statement-breakpoint

-- Append-only tables. A trigger, because REVOKE means nothing to a superuser.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = '42501';
END $$;
--> statement-breakpoint
CREATE TRIGGER usage_ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON usage_ledger
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER quota_grants_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON quota_grants
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint

-- Catches rows outside of every week; an insert of money must never fail for want of a partition.
CREATE TABLE request_log_default PARTITION OF request_log DEFAULT;
--> statement-breakpoint

-- Makes the weekly partitions (Monday to Monday, UTC) from one moment to another; rows of these weeks that had
-- gone to the default partition move over. Returns how many were made.
CREATE FUNCTION request_log_make_partitions(p_from timestamptz, p_to timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  week timestamptz := date_trunc('week', p_from, 'UTC');
  part text;
  made integer := 0;
BEGIN
  WHILE week <= p_to LOOP
    part := 'request_log_' || to_char(week AT TIME ZONE 'UTC', 'YYYYMMDD');
    IF to_regclass(part) IS NULL THEN
      EXECUTE format('CREATE TABLE %I (LIKE request_log INCLUDING ALL)', part);
      EXECUTE format(
        'WITH moved AS (DELETE FROM request_log_default WHERE created_at >= %L AND created_at < %L RETURNING *)
         INSERT INTO %I SELECT * FROM moved', week, week + interval '168 hours', part);
      EXECUTE format('ALTER TABLE request_log ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        part, week, week + interval '168 hours');
      made := made + 1;
    END IF;
    week := week + interval '168 hours';
  END LOOP;
  RETURN made;
END $$;
--> statement-breakpoint

-- Drops the weekly partitions that end before a moment, and such rows of the default partition. Returns how many.
CREATE FUNCTION request_log_drop_partitions(p_before timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  part text;
  dropped integer := 0;
BEGIN
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'request_log'::regclass AND c.relname ~ '^request_log_[0-9]{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' + interval '168 hours' <= p_before
    ORDER BY c.relname
  LOOP
    EXECUTE format('DROP TABLE %I', part);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM request_log_default WHERE created_at < p_before;
  RETURN dropped;
END $$;
--> statement-breakpoint

-- Adds two histograms element by element; the longer one gives the length. Both begin at index 1.
CREATE FUNCTION int_array_add(p_left integer[], p_right integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  result integer[] := p_left;
BEGIN
  FOR i IN 1 .. cardinality(p_right) LOOP
    IF p_right[i] <> 0 OR i > cardinality(result) THEN
      result[i] := coalesce(result[i], 0) + p_right[i];
    END IF;
  END LOOP;
  RETURN result;
END $$;
--> statement-breakpoint

CREATE AGGREGATE int_array_sum(integer[]) (SFUNC = int_array_add, STYPE = integer[], INITCOND = '{}', PARALLEL = SAFE);
--> statement-breakpoint

-- Adds one at each of the given indexes of a histogram.
CREATE FUNCTION int_array_bump(p_counts integer[], p_indexes integer[]) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  result integer[] := p_counts;
  i integer;
BEGIN
  FOREACH i IN ARRAY p_indexes LOOP
    IF i > cardinality(result) THEN
      result := result || array_fill(0, ARRAY[i - cardinality(result)]);
    END IF;
    result[i] := result[i] + 1;
  END LOOP;
  RETURN result;
END $$;
--> statement-breakpoint

-- The rows that quota_batch reads. They arrive as the text form of records, which PostgreSQL parses more than twice
-- as fast as JSON. k is the index of the key in the batch, n counts from 1.
CREATE TYPE quota_settlement AS (
  n integer, k integer, request_id uuid, created_at timestamptz, model text, protocol text, stream boolean,
  status text, http_status integer, error_code text, error_message text,
  input_tokens integer, cache_read_tokens integer, cache_write_tokens integer, output_tokens integer,
  reasoning_tokens integer, usage_source text, billing_source text,
  cost bigint, would_have_cost bigint, price_version integer, held bigint,
  latency_ms integer, ttft_ms integer, attempt_count integer, node_id uuid,
  warnings text[], attempts jsonb, timeline jsonb, client_request_id text, user_agent text
);
--> statement-breakpoint
CREATE TYPE quota_usage_rollup AS (
  n integer, k integer, bucket timestamptz, model text, request_count bigint, error_count bigint, prompt_tokens bigint,
  completion_tokens bigint, cache_read_tokens bigint, cache_write_tokens bigint, cost bigint, latency_sum_ms bigint,
  latencies integer[], errors integer[]
);
--> statement-breakpoint
CREATE TYPE quota_node_rollup AS (
  node_id uuid, bucket timestamptz, model text, attempt_count bigint, failure_count bigint, prompt_tokens bigint,
  completion_tokens bigint, cost bigint, latency_sum_ms bigint, latencies integer[]
);
--> statement-breakpoint

-- One batch of settlements and holds, one transaction. Locks keys, then users, in id order; then settles; then
-- decides each hold in order of arrival. Every change of a hold or a ledger row is made under its key's lock.
--
-- p_keys, p_users    distinct ids, ascending; p_key_user[k] is the index of the owner of key k
-- p_settlements      quota_settlement records with unit separators (U+001F) between them; the roll-ups likewise
-- p_buckets, p_codes lengths of a latency histogram and of an error counter
-- settled[n]         1 settled, 2 settled after its hold had expired, 3 was settled before, 9 not done, send again
-- outcomes[n]        0 held, 1 key not usable, 2 account not active, 3 key quota, 4 account quota, 9 not done, send again
-- amounts[n]         what is held; rooms[n], helds[n]: what was left and what is held on the level that refused
CREATE FUNCTION quota_batch(
  p_keys uuid[], p_users uuid[], p_key_user integer[],
  p_settlements text, p_usage_rollups text, p_node_rollups text, p_buckets integer, p_codes integer,
  p_hold_ids uuid[], p_hold_keys integer[], p_hold_amounts bigint[],
  p_strict boolean, p_hold_seconds integer, p_instance text,
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
            cache_write_tokens, output_tokens, cost_micro_cents, price_version, billing_source, late, created_at)
          SELECT request_id, key_id, user_id, model, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens,
            cost, price_version, billing_source, hold_state IS NOT DISTINCT FROM 'expired', created_at
          FROM input
        ), log AS (
          INSERT INTO request_log (request_id, created_at, user_id, key_id, model, protocol, stream, status, http_status,
            error_code, error_message, prompt_tokens, completion_tokens, cache_read_tokens, cache_write_tokens,
            reasoning_tokens, usage_source, cost_micro_cents, would_have_cost_micro_cents, price_version,
            held_micro_cents, latency_ms, ttft_ms, attempt_count, node_id, warnings, attempts, timeline,
            client_request_id, user_agent)
          SELECT request_id, created_at, user_id, key_id, model, protocol, stream, status, http_status,
            error_code, error_message, input_tokens + cache_read_tokens + cache_write_tokens, output_tokens,
            cache_read_tokens, cache_write_tokens, reasoning_tokens, usage_source, cost, would_have_cost, price_version,
            held, latency_ms, ttft_ms, attempt_count, node_id, warnings, attempts, timeline,
            client_request_id, user_agent
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

-- Ends a hold whose outcome was never learnt. Where there is none yet it leaves a mark, so that a hold that is
-- still on its way is refused. Idempotent.
CREATE FUNCTION quota_release(p_request uuid, p_key uuid, p_user uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  freed bigint;
BEGIN
  PERFORM 1 FROM api_keys WHERE id = p_key FOR NO KEY UPDATE;
  PERFORM 1 FROM users WHERE id = p_user FOR NO KEY UPDATE;
  UPDATE usage_holds SET state = 'released', resolved_at = now()
  WHERE request_id = p_request AND state = 'held' RETURNING amount_micro_cents INTO freed;
  IF NOT FOUND THEN
    INSERT INTO usage_holds (request_id, key_id, user_id, amount_micro_cents, state, owner_instance, expires_at, resolved_at)
    VALUES (p_request, p_key, p_user, 0, 'released', '', now(), now()) ON CONFLICT (request_id) DO NOTHING;
    RETURN false;
  END IF;
  UPDATE api_keys SET held_micro_cents = held_micro_cents - freed WHERE id = p_key;
  UPDATE users SET held_micro_cents = held_micro_cents - freed WHERE id = p_user;
  RETURN true;
END $$;
--> statement-breakpoint

-- Gives back one hold that nobody will settle. The candidate was found without a lock; everything is checked again.
CREATE FUNCTION quota_expire(p_request uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  h usage_holds;
BEGIN
  SELECT * INTO h FROM usage_holds WHERE request_id = p_request AND state = 'held';
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM 1 FROM api_keys WHERE id = h.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM users WHERE id = h.user_id FOR NO KEY UPDATE;
  UPDATE usage_holds SET state = 'expired', resolved_at = now() WHERE request_id = p_request AND state = 'held';
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE api_keys SET held_micro_cents = held_micro_cents - h.amount_micro_cents WHERE id = h.key_id;
  UPDATE users SET held_micro_cents = held_micro_cents - h.amount_micro_cents WHERE id = h.user_id;
  RETURN true;
END $$;
--> statement-breakpoint

-- Sets what a key and its account hold to the sum of their open holds. Returns whether anything was wrong.
CREATE FUNCTION quota_heal_held(p_key uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  owner uuid;
  changed integer;
  total integer := 0;
BEGIN
  SELECT user_id INTO owner FROM api_keys WHERE id = p_key FOR NO KEY UPDATE;
  PERFORM 1 FROM users WHERE id = owner FOR NO KEY UPDATE;
  UPDATE api_keys SET held_micro_cents = open.amount
  FROM (SELECT coalesce(sum(amount_micro_cents), 0)::bigint AS amount FROM usage_holds WHERE key_id = p_key AND state = 'held') open
  WHERE id = p_key AND held_micro_cents <> open.amount;
  GET DIAGNOSTICS changed = ROW_COUNT; total := total + changed;
  UPDATE users SET held_micro_cents = open.amount
  FROM (SELECT coalesce(sum(held_micro_cents), 0)::bigint AS amount FROM api_keys WHERE user_id = owner) open
  WHERE id = owner AND held_micro_cents <> open.amount;
  GET DIAGNOSTICS changed = ROW_COUNT; total := total + changed;
  RETURN total > 0;
END $$;
