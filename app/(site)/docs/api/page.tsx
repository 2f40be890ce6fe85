import { openApiOfRender, selfOfRender } from "@/components/gateway/reads";
import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { ReferencePage } from "@/components/reference/reference-page";

export const generateMetadata = titled("reference", (text) => text.title);

export default async function Page() {
  const document = await openApiOfRender();
  const viewer = await selfOfRender();
  return (
    <MoreMessages messages={await pickMessages("reference")}>
      <div className="mx-auto w-full max-w-site px-4 py-8 sm:px-6">
        <ReferencePage document={document} signedIn={viewer !== null} />
      </div>
    </MoreMessages>
  );
}
