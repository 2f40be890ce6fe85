import { titled } from "@/components/i18n/metadata";
import { MoreMessages } from "@/components/i18n/provider";
import { pickMessages } from "@/components/i18n/server";
import { ReferencePage } from "@/components/reference/reference-page";
import { openApiDocument } from "@/lib/api/openapi/document";
import { runtime } from "@/lib/gateway/runtime";
import { version } from "@/package.json";

export const generateMetadata = titled("reference", (text) => text.title);

export default async function Page() {
  const { publicUrl, compatibility } = runtime().settings;
  const document = openApiDocument(publicUrl, version, compatibility);
  return (
    <MoreMessages messages={await pickMessages("reference")}>
      <div className="mx-auto w-full max-w-[1120px] px-4 py-8 sm:px-6">
        <ReferencePage document={document} />
      </div>
    </MoreMessages>
  );
}
