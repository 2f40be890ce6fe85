import { GuidePage } from "@/components/docs/guide-page";
import { bootstrapOfRender } from "@/components/gateway/reads";
import { titled } from "@/components/i18n/metadata";
import { serverMessages } from "@/components/i18n/server";
import { modelToTry } from "@/components/snippets/snippets";

export const generateMetadata = titled("guide", (text) => text.title);

export default async function Page() {
  const { publicUrl, models } = await bootstrapOfRender();
  const text = await serverMessages("guide");
  return <GuidePage name={null} text={text} publicUrl={publicUrl} model={modelToTry(models)} />;
}
