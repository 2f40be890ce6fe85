import { notFound } from "next/navigation";
import { connection } from "next/server";
import { MoreMessages } from "@/components/i18n/provider";
import { KitchenPage } from "@/components/kitchen/kitchen-page";
import { pickMessages } from "@/components/server/messages";
import { type PageProps, requireViewer } from "@/components/server/viewer";

export const metadata = { title: "Kitchen", robots: { index: false } };

/** Every component in every state, for whoever changes one; it exists where the environment has `KITCHEN=1`. */
export default async function Page(props: PageProps) {
  await connection(); // the environment is that of the start, not that of the build
  if (process.env.KITCHEN !== "1") notFound();
  await requireViewer("/console/kitchen", props.searchParams);
  return (
    <MoreMessages messages={await pickMessages("auth", "budgets")}>
      <KitchenPage />
    </MoreMessages>
  );
}
