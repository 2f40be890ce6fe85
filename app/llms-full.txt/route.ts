import { docsMarkdown } from "@/components/docs/markdown";
import { guideValuesOfRender } from "@/components/docs/values-of-render";
import { textAnswer } from "@/components/gateway/text-answer";
import { serverMessages } from "@/components/i18n/server";

/** GET /llms-full.txt: all guides as one Markdown text. */
export async function GET(request: Request): Promise<Response> {
  const text = docsMarkdown(await serverMessages("guide"), await guideValuesOfRender());
  return textAnswer(request, text, "text/plain; charset=utf-8");
}
