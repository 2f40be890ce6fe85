import { guidePages } from "@/components/docs/guides";
import { operationPages } from "@/components/docs/operation-pages";
import { bootstrapOfRender, openApiOfRender } from "@/components/gateway/reads";
import { serverMessages } from "@/components/i18n/server";
import { embeddingModelToTry, modelToTry } from "@/components/snippets/snippets";

/** What the search of the docs looks into, in the reader's language. */
export async function GET(): Promise<Response> {
  const [{ publicUrl, models }, document] = await Promise.all([bootstrapOfRender(), openApiOfRender()]);
  const values = {
    baseUrl: publicUrl,
    model: modelToTry(models),
    embeddingModel: embeddingModelToTry(models),
  };
  const guides = guidePages(await serverMessages("guide"), values);
  return Response.json([...guides, ...operationPages(document, await serverMessages("reference"))]);
}
