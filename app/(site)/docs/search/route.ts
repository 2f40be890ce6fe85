import { docsOfRender } from "@/components/docs/docs-of-render";
import { guidePages } from "@/components/docs/guides";
import { operationPages } from "@/components/docs/operation-pages";
import { serverMessages } from "@/components/server/messages";
import { openApiOfRender } from "@/components/server/reads";

/** What the search of the docs looks into, in the reader's language. */
export async function GET(): Promise<Response> {
  const [docs, document] = await Promise.all([docsOfRender(), openApiOfRender()]);
  const operations = operationPages(document, await serverMessages("reference"));
  return Response.json([...guidePages(docs), ...operations]);
}
