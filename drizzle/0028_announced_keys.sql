-- Every process that caches keys hears of a change in the transaction that makes it, whoever makes it. The columns that
-- each settlement changes announce nothing. Source: docs/reliability.md#s3-2.
CREATE FUNCTION announce_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('tollgate_keys', TG_ARGV[0] || ':' || NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER api_keys_announced AFTER INSERT OR UPDATE OF key_hash, user_id, name, key_prefix, status, plan_id, models,
  expires_at, quota_micro_cents, deleted_at, console_number, console_token_version ON api_keys
  FOR EACH ROW EXECUTE FUNCTION announce_change('key');
--> statement-breakpoint
CREATE TRIGGER users_announced AFTER UPDATE OF status, role, plan_id, limit_overrides, token_version, quota_micro_cents,
  deleted_at ON users
  FOR EACH ROW EXECUTE FUNCTION announce_change('user');
--> statement-breakpoint
CREATE TRIGGER plans_announced AFTER UPDATE ON plans
  FOR EACH ROW EXECUTE FUNCTION announce_change('plan');
