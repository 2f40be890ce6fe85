"use client";

import { Circle, CircleCheck, LoaderCircle } from "lucide-react";
import { withQuery } from "../api/client";
import { useRead } from "../api/use-read";
import { useMessages } from "../i18n/provider";
import { FirstCall } from "../snippets/first-call";
import { modelToTry } from "../snippets/model-to-try";
import { Card } from "../ui/card";
import { cn } from "../ui/cn";
import { ButtonLink } from "../ui/link";

/** The steps to the first call; existing data marks them as done. */
export function Checklist(props: { hasKey: boolean }) {
  const text = useMessages("overview");
  const model = modelToTry(useRead("GET /api/user/models").data?.data ?? []);
  return (
    <Card title={text.checklist}>
      <div className="grid gap-6 lg:grid-cols-[280px_minmax(0,1fr)]">
        <ol className="grid content-start gap-3">
          <Step done label={text.steps.account} />
          <Step done={props.hasKey} label={text.steps.key}>
            {!props.hasKey && (
              <ButtonLink href="/console/keys?create=1" variant="primary" size="sm">
                {text.createKey}
              </ButtonLink>
            )}
          </Step>
          <Step done={false} label={text.steps.call}>
            {props.hasKey && (
              <div className="grid justify-items-start gap-2">
                <div role="status" className="grid gap-0.5 text-sm text-muted">
                  <span className="flex items-center gap-2">
                    <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" />
                    {text.waiting}
                  </span>
                  <span className="text-xs">{text.waitingHint}</span>
                </div>
                <ButtonLink href={withQuery("/console/playground", { model })} size="sm">
                  {text.tryIt}
                </ButtonLink>
              </div>
            )}
          </Step>
        </ol>
        <FirstCall model={model} />
      </div>
    </Card>
  );
}

function Step(props: { done: boolean; label: string; children?: React.ReactNode }) {
  const text = useMessages("overview");
  const Icon = props.done ? CircleCheck : Circle;
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3 gap-y-2">
      <Icon aria-hidden className={cn("size-5", props.done ? "text-success" : "text-muted")} />
      <span className={props.done ? "text-muted" : "font-medium"}>
        {props.label}
        {props.done && <span className="sr-only"> ({text.stepDone})</span>}
      </span>
      <div className="col-start-2 empty:hidden">{props.children}</div>
    </li>
  );
}
