ALTER TABLE "models" ADD COLUMN "configured_max_tokens" integer;
--> statement-breakpoint

-- 4096 was what every model got that was given no figure of its own. The column "default_max_tokens" stays for
-- processes of the version before, which may run beside those of this one.
UPDATE "models" SET "configured_max_tokens" = "default_max_tokens" WHERE "default_max_tokens" <> 4096;
