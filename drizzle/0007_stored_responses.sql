CREATE TABLE "stored_responses" (
	"request_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"key_id" uuid NOT NULL,
	"parent_id" uuid,
	"depth" integer NOT NULL,
	"node_id" uuid,
	"item_count" integer NOT NULL,
	"item_tags" bigint[] NOT NULL,
	"items" "bytea" NOT NULL,
	"envelope" "bytea" NOT NULL,
	"bytes" integer NOT NULL,
	CONSTRAINT "stored_responses_request_id_created_at_pk" PRIMARY KEY("request_id","created_at")
) PARTITION BY RANGE ("created_at");
--> statement-breakpoint
CREATE INDEX "stored_responses_by_key" ON "stored_responses" USING btree ("key_id","created_at","request_id");--> statement-breakpoint
CREATE INDEX "stored_responses_by_item" ON "stored_responses" USING gin ("item_tags");
--> statement-breakpoint

-- What is sealed does not compress.
ALTER TABLE stored_responses ALTER COLUMN items SET STORAGE EXTERNAL, ALTER COLUMN envelope SET STORAGE EXTERNAL;
--> statement-breakpoint

-- Catches rows outside of every day.
CREATE TABLE stored_responses_default PARTITION OF stored_responses DEFAULT;
--> statement-breakpoint

-- Makes the daily partitions (UTC) from one moment to another; rows of these days that had gone to the default
-- partition move over. Several processes may call it at once. Returns how many were made.
CREATE FUNCTION stored_responses_make_partitions(p_from timestamptz, p_to timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  day timestamptz := date_trunc('day', p_from, 'UTC');
  part text;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7405002);
  WHILE day <= p_to LOOP
    part := 'stored_responses_' || to_char(day AT TIME ZONE 'UTC', 'YYYYMMDD');
    IF to_regclass(part) IS NULL THEN
      EXECUTE format('CREATE TABLE %I (LIKE stored_responses INCLUDING ALL)', part);
      EXECUTE format(
        'WITH moved AS (DELETE FROM stored_responses_default WHERE created_at >= %L AND created_at < %L RETURNING *)
         INSERT INTO %I SELECT * FROM moved', day, day + interval '24 hours', part);
      EXECUTE format('ALTER TABLE stored_responses ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
        part, day, day + interval '24 hours');
      made := made + 1;
    END IF;
    day := day + interval '24 hours';
  END LOOP;
  RETURN made;
END $$;
--> statement-breakpoint

-- Drops the daily partitions that end before a moment, and such rows of the default partition. Several processes may
-- call it at once. Returns how many were dropped.
CREATE FUNCTION stored_responses_drop_partitions(p_before timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  part text;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7405002);
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'stored_responses'::regclass AND c.relname ~ '^stored_responses_[0-9]{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' + interval '24 hours' <= p_before
    ORDER BY c.relname
  LOOP
    EXECUTE format('DROP TABLE %I', part);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM stored_responses_default WHERE created_at < p_before;
  RETURN dropped;
END $$;
