import { ShieldAlert } from "lucide-react";
import { serverMessages } from "../server/messages";
import { ButtonLink } from "../ui/link";

/** Replaces an admin page for users without admin rights. */
export async function ForbiddenPanel() {
  const text = await serverMessages("common");
  return (
    <div className="grid justify-items-center gap-4 px-4 py-16 text-center">
      <ShieldAlert aria-hidden className="size-10 text-muted" />
      <p className="font-mono text-sm text-muted">403</p>
      <h1 className="text-xl font-semibold">{text.errors.forbiddenTitle}</h1>
      <p className="prose-width text-sm text-muted">{text.errors.forbiddenBody}</p>
      <ButtonLink href="/console" variant="primary">
        {text.console}
      </ButtonLink>
    </div>
  );
}
