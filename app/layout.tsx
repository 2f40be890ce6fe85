import type { Metadata } from "next";
import type { ReactNode } from "react";
import { bootstrapOfRender } from "@/components/server/reads";
import { Document, pageViewport } from "./document";

/** The title of a page ends with the name of the gateway. */
export async function generateMetadata(): Promise<Metadata> {
  const { name } = await bootstrapOfRender();
  return {
    title: { default: name, template: `%s · ${name}` },
    description: "A model gateway: four protocols in, any provider out, every cent accounted for.",
  };
}

export const viewport = pageViewport;

export default function RootLayout(props: { children: ReactNode }) {
  return <Document>{props.children}</Document>;
}
