ALTER TABLE "api_keys" ADD COLUMN "console_number" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "console_token_version" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_console" ON "api_keys" USING btree ("user_id") WHERE console_number IS NOT NULL AND deleted_at IS NULL;