import { bootstrapOfRender } from "../server/reads";
import { embeddingModelToTry, modelToTry } from "../snippets/model-to-try";
import type { GuideValues } from "./guides";

/** What the examples of the docs are filled in with: this gateway's address and models. */
export async function guideValuesOfRender(): Promise<GuideValues> {
  const { publicUrl, models } = await bootstrapOfRender();
  return { baseUrl: publicUrl, model: modelToTry(models), embeddingModel: embeddingModelToTry(models) };
}
