"use client";

import { CrashPage } from "@/components/shell/crash-page";

export default function ErrorPage(props: { error: unknown; retry: () => void }) {
  return <CrashPage error={props.error} retry={props.retry} />;
}
