import { z } from "zod";
import { characters, must } from "./fields";
import { listOf } from "./list-of";
import { endMoment, startMoment } from "./moments";

/** A text of an admin for all users, or for everybody. Source: docs/contract.md#announcements. */
export const announcement = z.object({
  id: z.string(),
  title: z.string(),
  text: z
    .string()
    .describe("Paragraphs, lists, bold, code and https links of Markdown; shown as text otherwise"),
  titleZh: z.string().describe("For readers of Chinese; empty: the title"),
  textZh: z.string().describe("For readers of Chinese; empty: the text"),
  tone: z.enum(["info", "warning"]),
  public: z.boolean(),
  from: z.iso.datetime(),
  until: z.iso.datetime().nullable().describe("Null: until it is deleted"),
  updatedAt: z.iso.datetime(),
});

/** GET /api/user/announcements. */
export const announcementsResponse = listOf(
  announcement.extend({ current: z.boolean().describe("False before its beginning and after its end") }),
);

/** POST and PATCH /api/admin/announcements. Source: docs/contract.md#announcements. */
export const announcementRequest = z.strictObject({
  title: characters(1, 100),
  text: characters(0, 500)
    .default("")
    .describe("Paragraphs, lists, bold, code and https links of Markdown; shown as text otherwise"),
  titleZh: characters(0, 100).default("").describe("For readers of Chinese; empty: the title"),
  textZh: characters(0, 500).default("").describe("For readers of Chinese; empty: the text"),
  tone: z.enum(["info", "warning"], must("must be info or warning")).default("info"),
  public: z.boolean(must("must be true or false")).default(false).describe("Also on the pages for visitors"),
  from: startMoment.optional().describe("Default: now"),
  until: endMoment.nullable().default(null).describe("Null: until it is deleted"),
});
