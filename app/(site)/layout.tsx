import type { ReactNode } from "react";
import { selfOfRender } from "@/components/server/reads";
import { SiteFrame } from "@/components/site/site-frame";

export default async function SiteLayout(props: { children: ReactNode }) {
  const viewer = await selfOfRender();
  return <SiteFrame signedIn={viewer !== null}>{props.children}</SiteFrame>;
}
