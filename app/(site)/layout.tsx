import type { ReactNode } from "react";
import { findViewer } from "@/components/shell/viewer";
import { SiteFrame } from "@/components/site/site-frame";

export default async function SiteLayout(props: { children: ReactNode }) {
  const viewer = await findViewer();
  return <SiteFrame signedIn={viewer !== null}>{props.children}</SiteFrame>;
}
