-- As in 0010: batches lock keys and users first.
LOCK TABLE "api_keys", "users" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "credential_kind" text DEFAULT 'key' NOT NULL;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "credential_facts" jsonb DEFAULT '{}'::jsonb NOT NULL;
