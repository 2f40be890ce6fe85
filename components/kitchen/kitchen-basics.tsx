"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { Sparkline } from "../charts/sparkline";
import { useFormat } from "../i18n/provider";
import { Badge, type Tone } from "../ui/badge";
import { Button, type ButtonSize, type ButtonVariant } from "../ui/button";
import { Card, Facts } from "../ui/card";
import { CodeBlock } from "../ui/code-block";
import { CodeWords } from "../ui/code-words";
import { Amount } from "../ui/columns";
import { CopyButton } from "../ui/copy-button";
import { Kpi } from "../ui/kpi";
import { ButtonLink, TextLink } from "../ui/link";
import { Meter } from "../ui/meter";
import { Segmented } from "../ui/segmented";
import { Status, type StatusTone } from "../ui/status";
import { Tabs } from "../ui/tabs";
import { Tooltip } from "../ui/tooltip";
import { Shelf } from "./shelf";

const sizes = ["text-xs", "text-sm", "text-lg", "text-xl", "text-2xl"];
const variants: ButtonVariant[] = ["primary", "secondary", "ghost", "danger"];
const buttonSizes: ButtonSize[] = ["sm", "md", "lg"];
const badges: Tone[] = ["neutral", "success", "warning", "danger", "info"];
const statuses: StatusTone[] = ["normal", "off", "warning", "danger"];
const amounts = ["1234567.5", "88", "0.52", "0.0004", "0"];

/** What pages are made of. */
export function KitchenBasics() {
  return (
    <>
      <Shelf name="type" stacked>
        {sizes.map((size) => (
          <p key={size} className={size}>
            Every cent accounted for, 0123456789 ({size})
          </p>
        ))}
        <p className="text-sm font-medium text-muted">Muted and medium</p>
        <p className="prose-width text-lg text-muted">
          <CodeWords text="Prose with `code` in it: send `Authorization: Bearer` with each call." />
        </p>
      </Shelf>
      <Buttons />
      <Shelf name="Badge">
        {badges.map((tone) => (
          <Badge key={tone} tone={tone} {...(tone === "success" && { icon: CircleCheck })}>
            {tone}
          </Badge>
        ))}
      </Shelf>
      <Shelf name="Status">
        {statuses.map((tone) => (
          <Status key={tone} tone={tone}>
            {tone}
          </Status>
        ))}
      </Shelf>
      <Money />
      <Shelf name="Meter" stacked>
        {[0, 0.4, 0.85, 1].map((share) => (
          <Meter key={share} share={share} label="Used" text={`${share * 100} %`} className="max-w-80" />
        ))}
      </Shelf>
      <Figures />
      <Choices />
    </>
  );
}

function Buttons() {
  return (
    <>
      <Shelf name="Button">
        {variants.map((variant) => (
          <Button key={variant} variant={variant}>
            {variant}
          </Button>
        ))}
        {variants.map((variant) => (
          <Button key={variant} variant={variant} disabled>
            {variant}, disabled
          </Button>
        ))}
        {buttonSizes.map((size) => (
          <Button key={size} size={size}>
            Size {size}
          </Button>
        ))}
        <Button size="icon" aria-label="Icon">
          <TriangleAlert aria-hidden className="size-4" />
        </Button>
      </Shelf>
      <Shelf name="Link, CopyButton, Tooltip">
        <ButtonLink href="/console">A link as a button</ButtonLink>
        <TextLink href="/console">A link in text</TextLink>
        <CopyButton text="copied" />
        <CopyButton text="copied" iconOnly label="Copy the text" />
        <Tooltip note="A note on hover and on focus">With a note</Tooltip>
      </Shelf>
    </>
  );
}

function Money() {
  const format = useFormat();
  const column = format.exactColumn(amounts);
  return (
    <Shelf name="money: an exact column, each alone and exact" stacked>
      <ul className="tabular grid w-fit justify-items-end">
        {amounts.map((cents) => (
          <li key={cents}>
            <Amount cents={cents} print={column} />
          </li>
        ))}
      </ul>
      <ul className="tabular grid w-fit">
        {amounts.map((cents) => (
          <li key={cents}>
            {format.money(cents)} = {format.moneyExact(cents)}
          </li>
        ))}
      </ul>
    </Shelf>
  );
}

function Figures() {
  return (
    <>
      <Shelf name="Kpi, Sparkline" stacked>
        <div className="kpi-grid">
          <Kpi label="Spend" value="¥1,234.50" note="+12 % on the week before" />
          <Kpi label="Requests" value="12,345" course={<Sparkline values={[3, 5, 2, 8, 6, 9, 4]} />} />
          <Kpi label="Errors" value="0 %" note="none in 7 days" />
          <Kpi label="A label that is longer than its figure" value="8" />
        </div>
      </Shelf>
      <Shelf name="Card, Facts, CodeBlock" stacked>
        <Card title="With a title" actions={<Button size="sm">Action</Button>}>
          <Facts
            rows={[
              ["Model", "demo-chat"],
              ["Request id", <code key="id">req_0123456789abcdef0123456789abcdef</code>],
            ]}
          />
        </Card>
        <Card>Without a title</Card>
        <CodeBlock
          label="A call"
          code={'curl https://gateway.test/v1/models \\\n  -H "Authorization: Bearer $KEY"'}
        />
      </Shelf>
    </>
  );
}

const periods = ["24h", "7d", "30d"] as const;

function Choices() {
  const [period, setPeriod] = useState<(typeof periods)[number]>("7d");
  return (
    <Shelf name="Segmented, Tabs" stacked>
      <div className="w-fit">
        <Segmented
          label="Period"
          value={period}
          onChange={setPeriod}
          options={periods.map((value) => ({ value, label: value }))}
        />
      </div>
      <Segmented
        className="w-fit"
        label="Group by"
        value="7d"
        onChange={setPeriod}
        note="What the choice is of"
        options={periods.map((value) => ({ value, label: value }))}
      />
      <Tabs
        label="Parts"
        tabs={[
          { value: "first", label: "First", content: <p>What the first tab shows</p> },
          { value: "second", label: "Second", content: <p>What the second tab shows</p> },
        ]}
      />
    </Shelf>
  );
}
