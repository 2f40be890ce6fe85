import { titled } from "@/components/i18n/metadata";
import { serverMessages } from "@/components/i18n/server";
import { MessagePage } from "@/components/shell/message-page";
import { ButtonLink } from "@/components/ui/link";

export const generateMetadata = titled("common", (text) => text.errors.notFoundTitle);

export default async function NotFound() {
  const text = await serverMessages("common");
  return (
    <MessagePage
      code="404"
      title={text.errors.notFoundTitle}
      body={text.errors.notFoundBody}
      actions={
        <>
          <ButtonLink href="/console" variant="primary">
            {text.console}
          </ButtonLink>
          <ButtonLink href="/">{text.home}</ButtonLink>
        </>
      }
    />
  );
}
