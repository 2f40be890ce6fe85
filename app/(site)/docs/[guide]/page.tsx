import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { GuidePage } from "@/components/docs/guide-page";
import { type GuideName, guideNames } from "@/components/docs/guides";
import { serverMessages } from "@/components/server/messages";
import { bootstrapOfRender } from "@/components/server/reads";
import { embeddingModelToTry, modelToTry } from "@/components/snippets/model-to-try";

interface Props {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await serverMessages("guide"))[await nameOf(props)].title };
}

export default async function Page(props: Props) {
  const name = await nameOf(props);
  const { publicUrl, models } = await bootstrapOfRender();
  const text = await serverMessages("guide");
  const { editors } = await serverMessages("connect");
  return (
    <GuidePage
      name={name}
      text={text}
      editors={editors}
      publicUrl={publicUrl}
      model={modelToTry(models)}
      embeddingModel={embeddingModelToTry(models)}
    />
  );
}

async function nameOf({ params }: Props): Promise<GuideName> {
  const { guide } = await params;
  return guideNames.find((name) => name === guide) ?? notFound();
}
