import { ofAdmin as englishOfAdmin } from "./en/of-admin";
import type { Locale } from "./locale";
import type { AdminWords, Messages } from "./messages";
import { messages as english } from "./messages";
import { ofAdmin as chineseOfAdmin } from "./zh-cn/of-admin";
import { messages as chinese } from "./zh-cn-messages";

/** The texts in each language. A missing member does not compile. */
export const dictionaries: Record<Locale, Messages> = { en: english, "zh-CN": chinese };

/** What the texts say on admin pages where that is something else. */
export const adminWords: Record<Locale, AdminWords> = { en: englishOfAdmin, "zh-CN": chineseOfAdmin };
