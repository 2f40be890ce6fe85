ALTER TABLE "plans" ADD COLUMN "concurrent" integer;--> statement-breakpoint
ALTER TABLE "plans" ADD COLUMN "account_limits" jsonb;