import { pickMessages, readPreferences } from "@/components/i18n/server";
import { findViewer } from "@/components/shell/viewer";
import { Landing } from "@/components/site/landing";
import { publicModels } from "@/components/site/public-models";
import { runtime } from "@/lib/gateway/runtime";

export default async function Page() {
  const { site } = await pickMessages("site");
  const { locale } = await readPreferences();
  const viewer = await findViewer();
  return (
    <Landing
      text={site}
      locale={locale}
      publicUrl={runtime().settings.publicUrl}
      models={publicModels()}
      signedIn={viewer !== null}
    />
  );
}
