import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { docsOfRender } from "@/components/docs/docs-of-render";
import { GuidePage } from "@/components/docs/guide-page";
import { type GuideName, guideNames, guideOf } from "@/components/docs/guides";
import { serverMessages } from "@/components/server/messages";

interface Props {
  params: Promise<{ guide: string }>;
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: guideOf(await nameOf(props), await docsOfRender()).title };
}

export default async function Page(props: Props) {
  const name = await nameOf(props);
  const { editors } = await serverMessages("connect");
  return <GuidePage name={name} docs={await docsOfRender()} editors={editors} />;
}

/** The first guide is the page of the docs itself. */
async function nameOf({ params }: Props): Promise<GuideName> {
  const { guide } = await params;
  return guideNames.slice(1).find((name) => name === guide) ?? notFound();
}
