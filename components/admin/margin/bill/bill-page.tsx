"use client";

import { useState } from "react";
import type { ProviderBill } from "@/lib/shared/provider-bills/bill";
import { useMessages } from "../../../i18n/provider";
import { PageHeader } from "../../../ui/card";
import { ButtonLink } from "../../../ui/link";
import { BillForm } from "./bill-form";
import { BillTerms } from "./bill-terms";

/** Compares what a provider's export says with what this gateway knows. The export stays in the browser. */
export function BillPage() {
  const text = useMessages("providerBill");
  const [bill, setBill] = useState<ProviderBill | null>(null);
  const [rate, setRate] = useState("");
  return (
    <>
      <PageHeader
        title={text.title}
        lead={text.lead}
        actions={<ButtonLink href="/admin/margin">{text.back}</ButtonLink>}
      />
      <div className="grid gap-4">
        <BillForm onRead={setBill} />
        {bill !== null && <BillTerms bill={bill} rate={rate} onRate={setRate} />}
      </div>
    </>
  );
}
