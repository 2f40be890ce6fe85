ALTER TABLE "announcements" ADD COLUMN "title_zh" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "announcements" ADD COLUMN "text_zh" text DEFAULT '' NOT NULL;