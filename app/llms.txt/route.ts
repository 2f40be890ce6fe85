import { docsIndex } from "@/components/docs/markdown";
import { guideValuesOfRender } from "@/components/docs/values-of-render";
import { serverMessages } from "@/components/server/messages";

/** GET /llms.txt: the index of the docs for language models. */
export async function GET(): Promise<Response> {
  const { baseUrl } = await guideValuesOfRender();
  return new Response(docsIndex(await serverMessages("guide"), baseUrl), {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
