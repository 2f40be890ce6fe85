import { docsOfRender } from "@/components/docs/docs-of-render";
import { GuidePage } from "@/components/docs/guide-page";
import { serverMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";

export const generateMetadata = titled("guide", (text) => text.title);

export default async function Page() {
  const { editors } = await serverMessages("connect");
  return <GuidePage name="quick-start" docs={await docsOfRender()} editors={editors} />;
}
