import { auth as authEn } from "./en/auth";
import { common as commonEn } from "./en/common";
import { shell as shellEn } from "./en/shell";
import type { Locale } from "./locale";
import type { Messages } from "./messages";
import { auth as authZh } from "./zh-cn/auth";
import { common as commonZh } from "./zh-cn/common";
import { shell as shellZh } from "./zh-cn/shell";

/** The texts in each language. A missing member does not compile. */
export const dictionaries: Record<Locale, Messages> = {
  en: { common: commonEn, shell: shellEn, auth: authEn },
  "zh-CN": { common: commonZh, shell: shellZh, auth: authZh },
};
