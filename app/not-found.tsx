import { titled } from "@/components/i18n/metadata";
import { serverMessages } from "@/components/i18n/server";
import { MessagePage } from "@/components/shell/message-page";
import { findViewer } from "@/components/shell/viewer";
import { SiteFrame } from "@/components/site/site-frame";
import { ButtonLink } from "@/components/ui/link";

export const generateMetadata = titled("common", (text) => text.errors.notFoundTitle);

/**
 * An address without a page, in the frame of the public pages: every page loads the scripts of this one, and those of the
 * console's frame are many.
 */
export default async function NotFound() {
  const signedIn = (await findViewer()) !== null;
  return (
    <SiteFrame signedIn={signedIn}>
      <Message signedIn={signedIn} />
    </SiteFrame>
  );
}

async function Message(props: { signedIn: boolean }) {
  const text = await serverMessages("common");
  return (
    <MessagePage
      code="404"
      title={text.errors.notFoundTitle}
      body={text.errors.notFoundBody}
      actions={
        <>
          {props.signedIn && (
            <ButtonLink href="/console" variant="primary">
              {text.console}
            </ButtonLink>
          )}
          <ButtonLink href="/" variant={props.signedIn ? "secondary" : "primary"}>
            {text.home}
          </ButtonLink>
        </>
      }
    />
  );
}
