import { redirect } from "next/navigation";
import { AuthCard } from "@/components/auth/auth-card";
import { LoginForm } from "@/components/auth/login-form";
import { sanitizeRedirect } from "@/components/auth/sanitize-redirect";
import { fill } from "@/components/i18n/fill";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { bootstrapOfRender, selfOfRender } from "@/components/server/reads";

export const generateMetadata = titled("auth", (text) => text.loginTitle);

export default async function LoginPage(props: { searchParams: Promise<Record<string, string | string[]>> }) {
  const search = await props.searchParams;
  const next = sanitizeRedirect(typeof search.next === "string" ? search.next : null);
  const expired = search.expired === "1";
  // Redirecting a user whose call was refused would cause a redirect loop.
  if (!expired && (await selfOfRender()) !== null) redirect(next);
  const { contact, name, publicUrl } = await bootstrapOfRender();
  const messages = await pickMessages("auth");
  return (
    <AuthCard title={messages.auth.loginTitle} lead={fill(messages.auth.loginLead, { product: name })}>
      <MoreMessages messages={messages}>
        <LoginForm next={next} expired={expired} contact={contact} publicUrl={publicUrl} />
      </MoreMessages>
    </AuthCard>
  );
}
