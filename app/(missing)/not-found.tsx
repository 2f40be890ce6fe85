import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages, serverMessages } from "@/components/i18n/server";
import { MessagePage } from "@/components/shell/message-page";
import { SignedIn } from "@/components/shell/signed-in";
import { findViewer } from "@/components/shell/viewer";
import { SiteFrame } from "@/components/site/site-frame";
import { ButtonLink } from "@/components/ui/link";

export const generateMetadata = titled("common", (text) => text.errors.notFoundTitle);

/** An address without a page, in the frame that its reader knows. */
export default async function NotFound() {
  const viewer = await findViewer();
  if (viewer === null) {
    return (
      <SiteFrame signedIn={false}>
        <Message signedIn={false} />
      </SiteFrame>
    );
  }
  return (
    <MoreMessages messages={await pickMessages("shell")}>
      <SignedIn viewer={viewer}>
        <Message signedIn />
      </SignedIn>
    </MoreMessages>
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
