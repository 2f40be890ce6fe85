import { serverMessages } from "../server/messages";
import { ButtonLink } from "../ui/link";
import { MessagePage } from "./message-page";

/** What stands where no page is. */
export async function NotFoundMessage(props: { signedIn: boolean }) {
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
