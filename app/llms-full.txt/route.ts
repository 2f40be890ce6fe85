import { docsMarkdown } from "@/components/docs/markdown";
import { guideValuesOfRender } from "@/components/docs/values-of-render";
import { serverMessages } from "@/components/server/messages";

/** GET /llms-full.txt: all guides as one Markdown text. */
export async function GET(): Promise<Response> {
  return new Response(docsMarkdown(await serverMessages("guide"), await guideValuesOfRender()), {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
