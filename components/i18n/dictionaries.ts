import { messages as english } from "./en-messages";
import type { Locale } from "./locale";
import type { Messages } from "./messages";
import { messages as chinese } from "./zh-cn-messages";

/** The texts in each language. A missing member does not compile. */
export const dictionaries: Record<Locale, Messages> = { en: english, "zh-CN": chinese };
