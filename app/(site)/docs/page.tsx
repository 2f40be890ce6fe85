import { GuidePage } from "@/components/docs/guide-page";
import { serverMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { bootstrapOfRender } from "@/components/server/reads";
import { embeddingModelToTry, modelToTry } from "@/components/snippets/model-to-try";

export const generateMetadata = titled("guide", (text) => text.title);

export default async function Page() {
  const { publicUrl, models } = await bootstrapOfRender();
  const text = await serverMessages("guide");
  const { editors } = await serverMessages("connect");
  return (
    <GuidePage
      name={null}
      text={text}
      editors={editors}
      publicUrl={publicUrl}
      model={modelToTry(models)}
      embeddingModel={embeddingModelToTry(models)}
    />
  );
}
