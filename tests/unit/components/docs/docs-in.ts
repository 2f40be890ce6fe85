import type { Docs } from "@/components/docs/guides";
import { dictionaries } from "@/components/i18n/dictionaries";
import type { Locale } from "@/components/i18n/locale";

/** The docs of a gateway that has models of the demo. */
export function docsIn(locale: Locale): Docs {
  return {
    locale,
    text: dictionaries[locale].guide,
    baseUrl: "http://localhost:3000",
    model: "demo-chat",
    embeddingModel: "demo-embedding",
  };
}
