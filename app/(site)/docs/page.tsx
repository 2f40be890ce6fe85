import { QuickStart } from "@/components/docs/quick-start";
import { titled } from "@/components/i18n/metadata";
import { serverMessages } from "@/components/i18n/server";
import { publicModels } from "@/components/site/public-models";
import { runtime } from "@/lib/gateway/runtime";

export const generateMetadata = titled("guide", (text) => text.title);

export default async function Page() {
  return (
    <QuickStart
      text={await serverMessages("guide")}
      publicUrl={runtime().settings.publicUrl}
      model={publicModels()[0]?.id ?? "MODEL"}
    />
  );
}
