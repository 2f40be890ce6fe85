"use client";

import { clientProtocols } from "@/lib/protocols/protocol";
import type { CatalogModel } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";

/** The protocols that nodes serve natively; the others are converted. Embeddings have one form. */
export function Protocols(props: { model: CatalogModel; nativeOnly?: boolean }) {
  const text = useMessages("models");
  const format = useFormat();
  if (props.model.kind === "embedding") return text.embedding;
  const named = (native: boolean) =>
    format.list(clientProtocols.filter((id) => props.model.protocols.includes(id) === native));
  const converted = props.nativeOnly === true ? "" : named(false);
  return (
    <span className="grid">
      <span>{named(true)}</span>
      {converted !== "" && (
        <span className="text-xs text-muted">{fill(text.convertedTo, { protocols: converted })}</span>
      )}
    </span>
  );
}
