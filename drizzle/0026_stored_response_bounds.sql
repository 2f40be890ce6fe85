CREATE TABLE "stored_response_usage" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"bytes" bigint NOT NULL,
	"responses" bigint NOT NULL,
	CONSTRAINT "stored_response_usage_user_id_day_pk" PRIMARY KEY("user_id","day")
);
--> statement-breakpoint
ALTER TABLE "stored_responses" ADD COLUMN "user_id" uuid;--> statement-breakpoint

-- A response counts with 1 KiB for its row, so that many small ones have a bound too.
CREATE FUNCTION stored_response_size(p_bytes bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$ SELECT p_bytes + 1024 $$;
--> statement-breakpoint

-- Counts what a statement has stored. What an earlier version of the program stores gets its account first. Rows that
-- were there before this migration have no account and are not counted, until lib/db/earlier-responses.ts counts them.
CREATE FUNCTION stored_responses_count_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM new_rows WHERE user_id IS NULL) THEN
    UPDATE stored_responses r
    SET user_id = coalesce((SELECT k.user_id FROM api_keys k WHERE k.id = r.key_id), r.key_id)
    FROM new_rows n
    WHERE n.user_id IS NULL AND r.request_id = n.request_id AND r.created_at = n.created_at;
  END IF;
  INSERT INTO stored_response_usage AS u (user_id, day, bytes, responses)
  SELECT coalesce(n.user_id, k.user_id, n.key_id), (n.created_at AT TIME ZONE 'UTC')::date,
    sum(stored_response_size(n.bytes)), count(*)
  FROM new_rows n LEFT JOIN api_keys k ON k.id = n.key_id
  GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (user_id, day) DO UPDATE
  SET bytes = u.bytes + excluded.bytes, responses = u.responses + excluded.responses;
  RETURN NULL;
END $$;
--> statement-breakpoint

-- Takes what a statement has deleted from the counts, which are locked in the order in which rows are counted.
CREATE FUNCTION stored_responses_count_old() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM stored_response_usage u
  WHERE (u.user_id, u.day) IN (SELECT o.user_id, (o.created_at AT TIME ZONE 'UTC')::date FROM old_rows o)
  ORDER BY u.user_id, u.day FOR UPDATE;
  UPDATE stored_response_usage u
  SET bytes = greatest(0, u.bytes - o.bytes), responses = greatest(0, u.responses - o.responses)
  FROM (
    SELECT user_id, (created_at AT TIME ZONE 'UTC')::date AS day, sum(stored_response_size(bytes)) AS bytes, count(*) AS responses
    FROM old_rows GROUP BY 1, 2
  ) o
  WHERE u.user_id = o.user_id AND u.day = o.day;
  RETURN NULL;
END $$;
--> statement-breakpoint

-- For statements on the table itself: rows that move between partitions are counted already.
CREATE TRIGGER stored_responses_new AFTER INSERT ON stored_responses
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION stored_responses_count_new();
--> statement-breakpoint

CREATE TRIGGER stored_responses_old AFTER DELETE ON stored_responses
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION stored_responses_count_old();
--> statement-breakpoint

-- Deletes the oldest responses of an account (null: of all), of one day and at most p_limit of them, while more than
-- p_max bytes are stored, down to p_target. Responses that are not counted stay. Those of an account are found by its
-- keys. One caller at a time for each account. Returns how many bytes fewer are counted; 0: nothing is left to do.
CREATE FUNCTION stored_responses_evict(p_user uuid, p_max bigint, p_target bigint, p_limit integer)
RETURNS TABLE (freed bigint, evicted bigint, stored bigint)
LANGUAGE plpgsql AS $$
DECLARE
  excess bigint;
  oldest date;
  found bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(7405011, hashtext(coalesce(p_user::text, '')));
  freed := 0;
  evicted := 0;
  SELECT coalesce(sum(u.bytes), 0) INTO stored FROM stored_response_usage u WHERE p_user IS NULL OR u.user_id = p_user;
  IF stored > p_max THEN
    excess := stored - p_target;
    SELECT min(u.day) INTO oldest FROM stored_response_usage u WHERE u.bytes > 0 AND (p_user IS NULL OR u.user_id = p_user);
    WITH first_rows AS (
      (
        SELECT r.request_id, r.created_at, r.bytes FROM stored_responses r
        WHERE p_user IS NULL AND r.user_id IS NOT NULL
          AND r.created_at >= oldest::timestamp AT TIME ZONE 'UTC'
          AND r.created_at < (oldest + 1)::timestamp AT TIME ZONE 'UTC'
        ORDER BY r.created_at, r.request_id LIMIT p_limit
      )
      UNION ALL
      (
        SELECT r.request_id, r.created_at, r.bytes
        FROM (SELECT k.id FROM api_keys k WHERE k.user_id = p_user UNION SELECT p_user WHERE p_user IS NOT NULL) keys
        CROSS JOIN LATERAL (
          SELECT s.request_id, s.created_at, s.bytes FROM stored_responses s
          WHERE s.key_id = keys.id AND s.user_id = p_user
            AND s.created_at >= oldest::timestamp AT TIME ZONE 'UTC'
            AND s.created_at < (oldest + 1)::timestamp AT TIME ZONE 'UTC'
          ORDER BY s.created_at, s.request_id LIMIT p_limit
        ) r
        ORDER BY r.created_at, r.request_id LIMIT p_limit
      )
    ), sums AS (
      SELECT f.request_id, f.created_at,
        sum(stored_response_size(f.bytes)) OVER (ORDER BY f.created_at, f.request_id) - stored_response_size(f.bytes) AS older
      FROM first_rows f
    ), gone AS (
      DELETE FROM stored_responses r USING sums s
      WHERE r.request_id = s.request_id AND r.created_at = s.created_at AND s.older < excess
      RETURNING r.bytes
    )
    SELECT coalesce(sum(stored_response_size(g.bytes)), 0), count(*), (SELECT count(*) FROM first_rows)
    INTO freed, evicted, found FROM gone g;
    -- A day without rows: its partition was dropped, and its counts are void.
    IF found = 0 THEN
      WITH void AS (
        DELETE FROM stored_response_usage u WHERE u.day = oldest AND (p_user IS NULL OR u.user_id = p_user) RETURNING u.bytes
      )
      SELECT coalesce(sum(v.bytes), 0) INTO freed FROM void v;
    END IF;
    stored := stored - freed;
  END IF;
  RETURN NEXT;
END $$;
