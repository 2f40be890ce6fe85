import { docsOfRender } from "@/components/docs/docs-of-render";
import { docsMarkdown } from "@/components/docs/markdown";

/** GET /llms-full.txt: all guides as one Markdown text. */
export async function GET(): Promise<Response> {
  return new Response(docsMarkdown(await docsOfRender()), {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
