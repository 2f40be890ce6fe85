-- The migrations of a release change keys, users and the request log, and run in one transaction. Batches of processes of
-- the version before lock keys first, then users, the request log later: in another order, each would wait for the other.
LOCK TABLE "api_keys", "users" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "announcements" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"tone" text NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "log_views" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"views" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "log_views" ADD CONSTRAINT "log_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
