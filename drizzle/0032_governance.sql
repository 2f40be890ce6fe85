-- As in 0010: batches lock keys and users first.
LOCK TABLE "api_keys", "users" IN ACCESS EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "project_members" (
	"project_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"added_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_members_project_id_user_id_pk" PRIMARY KEY("project_id","user_id"),
	CONSTRAINT "project_members_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action,
	CONSTRAINT "project_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE "statements" (
	"month" text PRIMARY KEY NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sha256" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "statement_lines" (
	"month" text NOT NULL,
	"of_month" text NOT NULL,
	"user_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"model" text NOT NULL,
	"requests" bigint DEFAULT 0 NOT NULL,
	"input_tokens" bigint DEFAULT 0 NOT NULL,
	"cache_read_tokens" bigint DEFAULT 0 NOT NULL,
	"cache_write_tokens" bigint DEFAULT 0 NOT NULL,
	"output_tokens" bigint DEFAULT 0 NOT NULL,
	"cost_micro_cents" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "statement_lines_month_user_id_key_id_model_of_month_pk" PRIMARY KEY("month","user_id","key_id","model","of_month"),
	CONSTRAINT "statement_lines_month_statements_month_fk" FOREIGN KEY ("month") REFERENCES "public"."statements"("month") ON DELETE no action ON UPDATE no action
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "project_id" uuid CONSTRAINT "api_keys_project_id_projects_id_fk" REFERENCES "public"."projects"("id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "created_by" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "cost_centre" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "instances" ADD COLUMN "level" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "project_members_of_user" ON "project_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "statement_lines_of_account" ON "statement_lines" USING btree ("user_id","month");
--> statement-breakpoint
CREATE TRIGGER statements_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON statements
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER statement_lines_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON statement_lines
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
