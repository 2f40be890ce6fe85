import { MoreMessages } from "@/components/i18n/provider";
import { ReferencePage } from "@/components/reference/reference-page";
import { pickMessages } from "@/components/server/messages";
import { titled } from "@/components/server/metadata";
import { openApiOfRender, selfOfRender } from "@/components/server/reads";

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
