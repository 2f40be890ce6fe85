import { redirect } from "next/navigation";
import { AuthCard } from "@/components/auth/auth-card";
import { RegisterForm } from "@/components/auth/register-form";
import { sanitizeRedirect } from "@/components/auth/sanitize-redirect";
import { fill } from "@/components/i18n/fill";
import { makeFormat } from "@/components/i18n/format";
import { FIRST_TIME_ZONE } from "@/components/i18n/locale";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { readPreferences } from "@/components/server/preferences";
import { bootstrapOfRender, selfOfRender } from "@/components/server/reads";

export const generateMetadata = titled("auth", (text) => text.registerTitle);

export default async function RegisterPage(props: {
  searchParams: Promise<Record<string, string | string[]>>;
}) {
  const search = await props.searchParams;
  if ((await selfOfRender()) !== null) redirect("/console");
  const messages = await pickMessages("auth");
  const { registration, signupQuotaCents, publicUrl } = await bootstrapOfRender();
  const { locale, numbers } = await readPreferences();
  const balance = makeFormat(locale, FIRST_TIME_ZONE, numbers).money(signupQuotaCents);
  const lead =
    signupQuotaCents > 0 ? fill(messages.auth.registerLead, { balance }) : messages.auth.registerLeadWithout;
  return (
    <AuthCard
      title={messages.auth.registerTitle}
      // An invitation may give another balance, which nobody is told before it is used.
      lead={registration === "closed" || search.invite !== undefined ? undefined : lead}
    >
      {registration === "closed" ? (
        <p>{messages.auth.registrationClosed}</p>
      ) : (
        <MoreMessages messages={messages}>
          <RegisterForm
            next={sanitizeRedirect(typeof search.next === "string" ? search.next : null)}
            inviteCode={typeof search.invite === "string" ? search.invite : ""}
            publicUrl={publicUrl}
            needs={registration === "open" ? null : registration}
          />
        </MoreMessages>
      )}
    </AuthCard>
  );
}
