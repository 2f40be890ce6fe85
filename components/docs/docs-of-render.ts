import { serverMessages } from "../server/messages";
import { readPreferences } from "../server/preferences";
import { bootstrapOfRender } from "../server/reads";
import { embeddingModelToTry, modelToTry } from "../snippets/model-to-try";
import type { Docs } from "./guides";

/** The docs in the reader's language, with this gateway's address and models. */
export async function docsOfRender(): Promise<Docs> {
  const { locale } = await readPreferences();
  const { publicUrl, models } = await bootstrapOfRender();
  return {
    locale,
    text: await serverMessages("guide"),
    baseUrl: publicUrl,
    model: modelToTry(models),
    embeddingModel: embeddingModelToTry(models),
  };
}
