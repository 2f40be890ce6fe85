import { guidePages } from "@/components/docs/guides";
import { operationPages } from "@/components/docs/operation-pages";
import { guideValuesOfRender } from "@/components/docs/values-of-render";
import { serverMessages } from "@/components/server/messages";
import { openApiOfRender } from "@/components/server/reads";

/** What the search of the docs looks into, in the reader's language. */
export async function GET(): Promise<Response> {
  const [values, document] = await Promise.all([guideValuesOfRender(), openApiOfRender()]);
  const guides = guidePages(await serverMessages("guide"), values);
  return Response.json([...guides, ...operationPages(document, await serverMessages("reference"))]);
}
