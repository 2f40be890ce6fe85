import { pickMessages } from "@/components/server/messages";
import { readPreferences } from "@/components/server/preferences";
import { bootstrapOfRender, selfOfRender } from "@/components/server/reads";
import { Landing } from "@/components/site/landing";

export default async function Page(props: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { deleted } = await props.searchParams;
  const { site } = await pickMessages("site");
  const { locale } = await readPreferences();
  const viewer = await selfOfRender();
  const { publicUrl, name, models, registration, signupQuotaCents } = await bootstrapOfRender();
  return (
    <Landing
      text={site}
      locale={locale}
      publicUrl={publicUrl}
      product={name}
      models={models}
      signedIn={viewer !== null}
      deleted={deleted === "1" && viewer === null}
      balanceCents={registration === "closed" ? 0 : signupQuotaCents}
    />
  );
}
