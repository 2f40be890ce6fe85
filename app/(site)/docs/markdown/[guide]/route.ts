import { docsOfRender } from "@/components/docs/docs-of-render";
import { guideNames } from "@/components/docs/guides";
import { guideMarkdown, referenceMarkdown } from "@/components/docs/markdown";
import { openApiOfRender } from "@/components/server/reads";

interface Context {
  params: Promise<{ guide: string }>;
}

/** GET /docs.md, /docs/api.md and /docs/{guide}.md (rewritten in `next.config.ts`): a page of the docs as Markdown. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { guide } = await params;
  const docs = await docsOfRender();
  if (guide === "api") return markdown(referenceMarkdown(docs, await openApiOfRender()));
  const name = guideNames.find((one) => one === guide);
  if (name === undefined)
    return new Response("Not found\n", {
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  return markdown(guideMarkdown(name, docs));
}

function markdown(text: string): Response {
  return new Response(`${text}\n`, { headers: { "content-type": "text/markdown; charset=utf-8" } });
}
