ALTER TABLE "audit_log" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
CREATE INDEX "audit_log_by_batch" ON "audit_log" USING btree ("batch_id","created_at","id") WHERE batch_id IS NOT NULL;
