ALTER TABLE "users" ADD COLUMN "suspended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "suspended_reason" text;--> statement-breakpoint
CREATE INDEX "audit_log_by_actor" ON "audit_log" USING btree ("actor_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_by_target" ON "audit_log" USING btree ("target_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_log_by_action" ON "audit_log" USING btree ("action","created_at");--> statement-breakpoint
CREATE INDEX "users_by_creation" ON "users" USING btree ("created_at","id");--> statement-breakpoint
-- Since when: until now the audit log had it alone.
UPDATE users SET suspended_at = (
  SELECT max(created_at) FROM audit_log
  WHERE target_type = 'user' AND target_id = users.id::text AND action = 'user.update'
    AND after->>'status' = 'suspended' AND before->>'status' = 'active'
) WHERE status = 'suspended';
