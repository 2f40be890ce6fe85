import { guideNames } from "@/components/docs/guides";
import { pageMarkdown, QUICK_START_FILE, referenceMarkdown } from "@/components/docs/markdown";
import { guideValuesOfRender } from "@/components/docs/values-of-render";
import { serverMessages } from "@/components/server/messages";
import { openApiOfRender } from "@/components/server/reads";

interface Context {
  params: Promise<{ guide: string }>;
}

/** GET /docs.md, /docs/api.md and /docs/{guide}.md (rewritten in `next.config.ts`): a page of the docs as Markdown. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const { guide } = await params;
  const text = await serverMessages("guide");
  const values = await guideValuesOfRender();
  if (guide === "api") return markdown(referenceMarkdown(text, await openApiOfRender(), values.baseUrl));
  const name = guideNames.find((one) => one === guide);
  if (name === undefined && guide !== QUICK_START_FILE)
    return new Response("Not found\n", {
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  return markdown(pageMarkdown(name ?? null, text, values));
}

function markdown(text: string): Response {
  return new Response(`${text}\n`, { headers: { "content-type": "text/markdown; charset=utf-8" } });
}
