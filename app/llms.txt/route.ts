import { docsOfRender } from "@/components/docs/docs-of-render";
import { docsIndex } from "@/components/docs/markdown";

/** GET /llms.txt: the index of the docs for language models. */
export async function GET(): Promise<Response> {
  return new Response(docsIndex(await docsOfRender()), {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
