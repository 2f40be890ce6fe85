"use client";

import type { CatalogModel, Uptime } from "../api/types";
import { fill } from "../i18n/fill";
import { useFormat, useMessages } from "../i18n/provider";
import { EmbeddingSnippetTabs, SnippetTabs } from "../snippets/snippet-tabs";
import { Dialog } from "../ui/dialog";
import { UptimeStatus, UptimeView } from "./uptime";

/** How to call a model, and how well it has answered. */
export function UseDialog(props: {
  model: CatalogModel | null;
  onClose: () => void;
  publicUrl: string;
  uptime: Uptime | null | undefined;
}) {
  const text = useMessages("models");
  const { model, uptime } = props;
  const Snippets = model?.kind === "embedding" ? EmbeddingSnippetTabs : SnippetTabs;
  return (
    <Dialog
      open={model !== null}
      onClose={props.onClose}
      title={fill(text.useTitle, { model: model?.id ?? "" })}
      description={model?.kind === "embedding" ? text.embeddingUse : text.capabilities}
      size="lg"
    >
      {model !== null && (
        <div className="grid gap-4">
          <Snippets baseUrl={props.publicUrl} apiKey={null} model={model.id} />
          {uptime && <ModelUptime uptime={uptime} id={model.id} />}
        </div>
      )}
    </Dialog>
  );
}

/** How well a model has answered. */
function ModelUptime(props: { uptime: Uptime; id: string }) {
  const text = useMessages("models").uptime;
  const { locale } = useFormat();
  const model = props.uptime.models.find(({ id }) => id === props.id);
  if (model === undefined) return null;
  return (
    <section className="grid gap-2 border-t pt-4">
      <h3 className="flex flex-wrap items-baseline justify-between gap-2 text-sm font-semibold">
        {text.title}
        <span className="font-normal">
          <UptimeStatus state={model.state} text={text} />
        </span>
      </h3>
      <UptimeView uptime={props.uptime} model={model} text={text} locale={locale} />
      <p className="text-xs text-muted">{text.how}</p>
    </section>
  );
}
