import { ArrowRight, Gauge, type LucideIcon, Receipt, Repeat, Route, Server, Shuffle } from "lucide-react";
import type { CatalogModel } from "../api/types";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import { formatCnyExact } from "../i18n/money";
import { SnippetTabs } from "../snippets/snippet-tabs";
import { KEY_PLACEHOLDER, modelToTry } from "../snippets/snippets";
import { ButtonLink, TextLink } from "../ui/link";

interface LandingProps {
  text: Messages["site"];
  locale: Locale;
  publicUrl: string;
  models: CatalogModel[];
  signedIn: boolean;
}

/** The front page. */
export function Landing(props: LandingProps) {
  return (
    <>
      <Hero {...props} />
      <Diagram text={props.text.diagram} />
      <Features text={props.text.features} />
      {props.models.length > 0 && <SomeModels {...props} />}
      <section className="border-t bg-card">
        <div className="mx-auto grid max-w-[1120px] justify-items-center gap-5 px-4 py-16 text-center sm:px-6">
          <h2 className="text-2xl font-semibold">{props.text.closing}</h2>
          <StartLink {...props} />
        </div>
      </section>
    </>
  );
}

function StartLink(props: LandingProps) {
  return (
    <ButtonLink href={props.signedIn ? "/console" : "/register"} variant="primary" size="lg">
      {props.signedIn ? props.text.openConsole : props.text.start}
      <ArrowRight aria-hidden className="size-4" />
    </ButtonLink>
  );
}

function Hero(props: LandingProps) {
  const { text } = props;
  return (
    <section className="mx-auto grid max-w-[1120px] items-center gap-10 px-4 py-14 sm:px-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)] lg:py-24">
      <div className="grid gap-5">
        <p className="text-sm font-medium text-primary">{text.tagline}</p>
        <h1 className="text-3xl font-semibold tracking-tight sm:text-4xl">{text.heroTitle}</h1>
        <p className="prose-width text-lg text-muted">{text.heroLead}</p>
        <div className="flex flex-wrap gap-3">
          <StartLink {...props} />
          <ButtonLink href="/docs" size="lg">
            {text.readDocs}
          </ButtonLink>
        </div>
      </div>
      <section
        aria-label={text.snippetTitle}
        className="grid min-w-0 gap-3 rounded-xl border bg-page p-4 shadow-float sm:p-5"
      >
        <div className="grid gap-0.5">
          <h2 className="text-lg font-semibold">{text.snippetTitle}</h2>
          <p className="text-sm text-muted">{text.snippetLead}</p>
        </div>
        <SnippetTabs baseUrl={props.publicUrl} apiKey={KEY_PLACEHOLDER} model={modelToTry(props.models)} />
      </section>
    </section>
  );
}

function Diagram(props: { text: Messages["site"]["diagram"] }) {
  const { text } = props;
  const columns = [
    { title: text.clients, items: text.clientList, strong: false },
    { title: text.gateway, items: text.gatewayList, strong: true },
    { title: text.nodes, items: text.nodeList, strong: false },
  ];
  return (
    <section className="border-y bg-card">
      <div className="mx-auto grid max-w-[1120px] gap-6 px-4 py-14 sm:px-6">
        <h2 className="text-center text-xl font-semibold">{text.title}</h2>
        <ol className="grid items-center gap-3 md:grid-cols-[1fr_auto_1.2fr_auto_1fr]">
          {columns.map((column, index) => (
            <li key={column.title} className="contents">
              {index > 0 && <ArrowRight aria-hidden className="mx-auto size-5 text-muted max-md:rotate-90" />}
              <div
                className={
                  column.strong
                    ? "rounded-lg border border-primary bg-primary-soft p-4"
                    : "rounded-lg border bg-page p-4"
                }
              >
                <h3 className="mb-2 font-semibold">{column.title}</h3>
                <ul className="grid gap-1 text-sm text-muted">
                  {column.items.map((item) => (
                    <li key={item}>{item}</li>
                  ))}
                </ul>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

type Feature = Exclude<keyof Messages["site"]["features"], "title">;

const featureIcons: Record<Feature, LucideIcon> = {
  protocols: Repeat,
  failover: Shuffle,
  money: Receipt,
  limits: Gauge,
  sight: Route,
  host: Server,
};
const features: Feature[] = ["protocols", "failover", "money", "limits", "sight", "host"];

function Features(props: { text: Messages["site"]["features"] }) {
  return (
    <section className="mx-auto grid max-w-[1120px] gap-8 px-4 py-16 sm:px-6">
      <h2 className="text-center text-xl font-semibold">{props.text.title}</h2>
      <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {features.map((name) => {
          const Icon = featureIcons[name];
          return (
            <li key={name} className="grid content-start gap-2">
              <span className="flex size-9 items-center justify-center rounded-md bg-primary-soft text-primary">
                <Icon aria-hidden className="size-5" />
              </span>
              <h3 className="text-lg font-semibold">{props.text[name].title}</h3>
              <p className="text-base leading-6 text-muted">{props.text[name].body}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const SHOWN_MODELS = 6;

function SomeModels(props: LandingProps) {
  const { text, locale } = props;
  return (
    <section className="mx-auto grid max-w-[1120px] gap-5 px-4 pb-16 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-2">
        <div className="grid gap-0.5">
          <h2 className="text-xl font-semibold">{text.modelsTitle}</h2>
          <p className="text-muted">{text.modelsLead}</p>
        </div>
        <TextLink href="/models">{text.allModels}</TextLink>
      </header>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {props.models.slice(0, SHOWN_MODELS).map((model) => (
          <li key={model.id} className="grid gap-1 rounded-lg border p-4">
            <code className="font-medium break-all">{model.id}</code>
            <span className="text-sm text-muted">{model.displayName}</span>
            <span className="tabular text-sm">
              {formatCnyExact(model.prices.input, locale)}
              {model.kind === "generation" && ` / ${formatCnyExact(model.prices.output, locale)}`}
              <span className="text-muted"> · 1M</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
