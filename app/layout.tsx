import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Document, pageViewport } from "./document";

export const metadata: Metadata = {
  title: { default: "Tollgate", template: "%s · Tollgate" },
  description: "A model gateway: three protocols in, any provider out, every cent accounted for.",
};

export const viewport = pageViewport;

export default function RootLayout(props: { children: ReactNode }) {
  return <Document>{props.children}</Document>;
}
