CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"key_prefix" text NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"plan_id" integer NOT NULL,
	"models" text[],
	"expires_at" timestamp with time zone,
	"quota_micro_cents" bigint NOT NULL,
	"used_micro_cents" bigint DEFAULT 0 NOT NULL,
	"held_micro_cents" bigint DEFAULT 0 NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash"),
	CONSTRAINT "api_keys_used_not_negative" CHECK ("api_keys"."used_micro_cents" >= 0),
	CONSTRAINT "api_keys_held_not_negative" CHECK ("api_keys"."held_micro_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_id" uuid,
	"actor_name" text DEFAULT '' NOT NULL,
	"action" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"ip" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "login_throttle" (
	"subject" text PRIMARY KEY NOT NULL,
	"count" integer DEFAULT 0 NOT NULL,
	"window_started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"blocked_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "plans" (
	"id" integer PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"qps" integer,
	"rpm" integer,
	"tpm" integer,
	"key_quota_micro_cents" bigint NOT NULL,
	"self_service" boolean DEFAULT false NOT NULL,
	"managed_by_file" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "quota_grants" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount_micro_cents" bigint NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"actor_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"username" text NOT NULL,
	"username_key" text NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"email" text DEFAULT '' NOT NULL,
	"password_hash" text NOT NULL,
	"role" text DEFAULT 'user' NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"token_version" integer DEFAULT 1 NOT NULL,
	"plan_id" integer NOT NULL,
	"limit_overrides" jsonb,
	"quota_micro_cents" bigint NOT NULL,
	"used_micro_cents" bigint DEFAULT 0 NOT NULL,
	"held_micro_cents" bigint DEFAULT 0 NOT NULL,
	"request_count" bigint DEFAULT 0 NOT NULL,
	"invite_code" text NOT NULL,
	"invited_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "users_username_key_unique" UNIQUE("username_key"),
	CONSTRAINT "users_invite_code_unique" UNIQUE("invite_code"),
	CONSTRAINT "users_used_not_negative" CHECK ("users"."used_micro_cents" >= 0),
	CONSTRAINT "users_held_not_negative" CHECK ("users"."held_micro_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "instances" (
	"id" text PRIMARY KEY NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "model_prices" (
	"model_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"input_nano_cents" bigint NOT NULL,
	"output_nano_cents" bigint NOT NULL,
	"cache_read_nano_cents" bigint,
	"cache_write_nano_cents" bigint,
	"valid_from" timestamp with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	CONSTRAINT "model_prices_model_id_version_pk" PRIMARY KEY("model_id","version")
);
--> statement-breakpoint
CREATE TABLE "models" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"alias" text NOT NULL,
	"also_known_as" text[] DEFAULT '{}'::text[] NOT NULL,
	"display_name" text DEFAULT '' NOT NULL,
	"context_window" integer,
	"max_output_tokens" integer,
	"default_max_tokens" integer DEFAULT 4096 NOT NULL,
	"profile" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"managed_by_file" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "models_alias_unique" UNIQUE("alias")
);
--> statement-breakpoint
CREATE TABLE "nodes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"protocol" text NOT NULL,
	"base_url" text NOT NULL,
	"credential" "bytea",
	"credential_key_id" text,
	"api_key_hint" text,
	"headers" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"proxy" text,
	"max_concurrency" integer,
	"timeouts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"simulated" boolean DEFAULT false NOT NULL,
	"managed_by_file" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "nodes_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "routes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"model_id" uuid NOT NULL,
	"node_id" uuid NOT NULL,
	"upstream_model" text NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"weight" integer DEFAULT 100 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "node_rollups" (
	"bucket" timestamp with time zone NOT NULL,
	"node_id" uuid NOT NULL,
	"model" text NOT NULL,
	"attempt_count" bigint NOT NULL,
	"failure_count" bigint NOT NULL,
	"prompt_tokens" bigint NOT NULL,
	"completion_tokens" bigint NOT NULL,
	"cost_micro_cents" bigint NOT NULL,
	"latency_sum_ms" bigint NOT NULL,
	"latency_histogram" integer[] NOT NULL,
	CONSTRAINT "node_rollups_node_id_bucket_model_pk" PRIMARY KEY("node_id","bucket","model")
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"request_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"user_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"model" text NOT NULL,
	"protocol" text NOT NULL,
	"stream" boolean NOT NULL,
	"status" text NOT NULL,
	"http_status" integer NOT NULL,
	"error_code" text,
	"error_message" text,
	"prompt_tokens" integer NOT NULL,
	"completion_tokens" integer NOT NULL,
	"cache_read_tokens" integer NOT NULL,
	"cache_write_tokens" integer NOT NULL,
	"reasoning_tokens" integer NOT NULL,
	"usage_source" text NOT NULL,
	"cost_micro_cents" bigint NOT NULL,
	"would_have_cost_micro_cents" bigint,
	"price_version" integer NOT NULL,
	"held_micro_cents" bigint NOT NULL,
	"latency_ms" integer NOT NULL,
	"ttft_ms" integer,
	"attempt_count" integer NOT NULL,
	"node_id" uuid,
	"warnings" text[] NOT NULL,
	"attempts" jsonb NOT NULL,
	"timeline" jsonb NOT NULL,
	"client_request_id" text,
	"user_agent" text,
	CONSTRAINT "request_log_created_at_request_id_pk" PRIMARY KEY("created_at","request_id")
) PARTITION BY RANGE ("created_at");
--> statement-breakpoint
CREATE TABLE "usage_holds" (
	"request_id" uuid PRIMARY KEY NOT NULL,
	"key_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"amount_micro_cents" bigint NOT NULL,
	"state" text NOT NULL,
	"owner_instance" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "usage_holds_amount_not_negative" CHECK ("usage_holds"."amount_micro_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "usage_ledger" (
	"request_id" uuid PRIMARY KEY NOT NULL,
	"key_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"model" text NOT NULL,
	"input_tokens" integer NOT NULL,
	"cache_read_tokens" integer NOT NULL,
	"cache_write_tokens" integer NOT NULL,
	"output_tokens" integer NOT NULL,
	"cost_micro_cents" bigint NOT NULL,
	"price_version" integer NOT NULL,
	"billing_source" text NOT NULL,
	"late" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "usage_ledger_cost_not_negative" CHECK ("usage_ledger"."cost_micro_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "usage_rollups" (
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
	CONSTRAINT "usage_rollups_user_id_bucket_key_id_model_pk" PRIMARY KEY("user_id","bucket","key_id","model")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quota_grants" ADD CONSTRAINT "quota_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "model_prices" ADD CONSTRAINT "model_prices_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_model_id_models_id_fk" FOREIGN KEY ("model_id") REFERENCES "public"."models"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "routes" ADD CONSTRAINT "routes_node_id_nodes_id_fk" FOREIGN KEY ("node_id") REFERENCES "public"."nodes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_by_user" ON "api_keys" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_by_time" ON "audit_log" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "quota_grants_by_user" ON "quota_grants" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "request_log_by_user" ON "request_log" USING btree ("user_id","created_at","request_id");--> statement-breakpoint
CREATE INDEX "request_log_by_key" ON "request_log" USING btree ("key_id","created_at","request_id");--> statement-breakpoint
CREATE INDEX "request_log_by_id" ON "request_log" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "usage_holds_open" ON "usage_holds" USING btree ("expires_at") WHERE state = 'held';--> statement-breakpoint
CREATE INDEX "usage_rollups_by_time" ON "usage_rollups" USING btree ("bucket");