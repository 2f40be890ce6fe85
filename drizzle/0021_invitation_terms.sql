ALTER TABLE "invitations" ADD COLUMN "plan_id" integer;--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "quota_cents" bigint;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE set null ON UPDATE no action;