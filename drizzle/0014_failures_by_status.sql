DROP INDEX "request_log_failures";--> statement-breakpoint
DROP INDEX "request_log_failures_by_user";--> statement-breakpoint
CREATE INDEX "request_log_failures" ON "request_log" USING btree ("created_at","request_id","status") WHERE status <> 'success';--> statement-breakpoint
CREATE INDEX "request_log_failures_by_user" ON "request_log" USING btree ("user_id","created_at","request_id","status") WHERE status <> 'success';
