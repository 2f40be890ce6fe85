import type { Metadata } from "next";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages, serverMessages } from "@/components/server/messages";
import { selfOfRender } from "@/components/server/reads";
import { LazyShell } from "@/components/shell/lazy-shell";
import { LoadOnNavigation } from "@/components/shell/load-on-navigation";
import { NotFoundMessage } from "@/components/shell/not-found-message";
import { shellProps } from "@/components/shell/shell-props";
import { SiteFrame } from "@/components/site/site-frame";
import { Document, pageViewport } from "./document";

export const viewport = pageViewport;

/** The whole title: the layout with its template is not above this page. */
export async function generateMetadata(): Promise<Metadata> {
  const text = await serverMessages("common");
  return { title: `${text.errors.notFoundTitle} · ${text.productName}` };
}

/**
 * An address without a page, in the frame that its reader knows. It is a document of its own, and the console's frame has
 * scripts of its own, so that no other page loads them.
 */
export default async function NotFound() {
  const viewer = await selfOfRender();
  if (viewer === null) {
    return (
      <Document>
        <LoadOnNavigation />
        <SiteFrame signedIn={false}>
          <NotFoundMessage signedIn={false} />
        </SiteFrame>
      </Document>
    );
  }
  return (
    <Document>
      <LoadOnNavigation />
      <MoreMessages messages={await pickMessages("shell")}>
        <LazyShell {...(await shellProps(viewer))}>
          <NotFoundMessage signedIn />
        </LazyShell>
      </MoreMessages>
    </Document>
  );
}
