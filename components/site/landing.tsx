import { ArrowRight, Gauge, type LucideIcon, Receipt, Repeat, Route, Server, Shuffle } from "lucide-react";
import bench from "@/bench/results/bench.json";
import { protocolKits } from "@/lib/protocols/kit/kits";
import type { CatalogModel } from "../api/types";
import { fill, plural } from "../i18n/fill";
import type { Locale } from "../i18n/locale";
import type { Messages } from "../i18n/messages";
import { formatCny, formatCnyExact } from "../i18n/money";
import { modelToTry } from "../snippets/model-to-try";
import { clientNames, protocolOfClient, snippet, testedClients } from "../snippets/snippets";
import { CodeBlock } from "../ui/code-block";
import { ButtonLink, Link, TextLink } from "../ui/link";
import { Note } from "../ui/states";
import { benchFacts, PORTKEY_CONNECTIONS } from "./bench-facts";
import { FirstCalls } from "./first-calls";
import { LiveRequest } from "./live-request";

interface LandingProps {
  text: Messages["site"];
  locale: Locale;
  publicUrl: string;
  product: string;
  models: CatalogModel[];
  signedIn: boolean;
  /** Whoever comes here has just deleted the account. */
  deleted: boolean;
  /** What a new account starts with. */
  balanceCents: number;
}

/** The front page. */
export function Landing(props: LandingProps) {
  return (
    <>
      {props.deleted && (
        <div className="mx-auto max-w-site px-4 pt-4 sm:px-6">
          <Note tone="success" role="status">
            {props.text.accountDeleted}
          </Note>
        </div>
      )}
      <Hero {...props} />
      <MeasuredFacts {...props} />
      <WorksWith {...props} />
      <Features text={props.text.features} />
      {props.product === PICTURED && <ConsolePicture text={props.text.picture} />}
      {props.models.length > 0 && <SomeModels {...props} />}
      <section className="below-first-screen border-t bg-card">
        <div className="mx-auto grid max-w-site justify-items-center gap-6 px-4 py-16 text-center sm:px-6">
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
    <section className="mx-auto grid max-w-site items-center gap-12 px-4 py-12 sm:px-6 lg:grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)] lg:py-16">
      <div className="grid min-w-0 gap-6">
        <p className="text-sm font-medium text-primary">{text.tagline}</p>
        <h1 className="text-4xl font-semibold tracking-tight">
          {text.heroPhrases.map((phrase) => (
            <span key={phrase} className="inline-block">
              {phrase}
            </span>
          ))}
        </h1>
        <p className="prose-width text-lg text-muted">{fill(text.heroLead, { product: props.product })}</p>
        <div className="flex flex-wrap gap-3">
          <StartLink {...props} />
          <ButtonLink href="/docs" size="lg">
            {text.readDocs}
          </ButtonLink>
        </div>
        {!props.signedIn && <p className="text-sm text-muted">{costWords(props)}</p>}
        <FirstCalls label={text.firstCall} calls={firstCalls(props)} />
      </div>
      <LiveRequest
        text={text.live}
        locale={props.locale}
        model={props.models.find(({ id }) => id === modelToTry(props.models))}
      />
    </section>
  );
}

/** The libraries that most visitors have code for. */
const shownCalls = [
  { client: "curl", name: "curl" },
  { client: "openai-python", name: "OpenAI" },
  { client: "anthropic-python", name: "Anthropic" },
  { client: "claude-code", name: "Claude Code" },
] as const;

function firstCalls({ publicUrl, models }: LandingProps) {
  const values = { baseUrl: publicUrl, apiKey: null, model: modelToTry(models) };
  return shownCalls.map(({ client, name }) => ({
    value: client,
    label: name,
    content: <CodeBlock label={clientNames[client]} code={snippet(client, values)} />,
  }));
}

function costWords({ text, locale, balanceCents }: LandingProps): string {
  if (balanceCents === 0) return text.noFee;
  return fill(text.startsWith, { balance: formatCny(balanceCents, locale) });
}

/** Figures of the published benchmark, read when the pages are built. */
const measured = benchFacts(bench);

function MeasuredFacts({ text, locale }: LandingProps) {
  const number = (value: number, digits: number) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
      value,
    );
  const cpu = fill(text.facts.milliseconds, { count: number(measured.cpuMsPerRequest, 2) });
  const facts = [
    { figure: number(measured.requestsPerSecond, 0), words: text.facts.rate },
    {
      figure: `${number(measured.timesPortkey, 1)}×`,
      words: fill(text.facts.ofPortkey, { clients: PORTKEY_CONNECTIONS }),
    },
    { figure: `${number(measured.timesGoModel, 1)}×`, words: text.facts.ofGo },
    { figure: cpu, words: text.facts.cpu },
  ];
  return (
    <section aria-label={text.facts.title} className="below-first-screen border-y bg-card">
      <div className="mx-auto grid max-w-site gap-6 px-4 py-12 sm:px-6">
        <dl className="grid gap-6 sm:grid-cols-2 lg:grid-cols-4">
          {facts.map(({ figure, words }) => (
            <div key={words} className="flex flex-col-reverse justify-end gap-1">
              <dt className="text-muted">{words}</dt>
              <dd className="tabular text-2xl font-semibold">{figure}</dd>
            </div>
          ))}
        </dl>
        <p className="text-xs text-muted">
          {fill(text.facts.how, { cores: measured.cores })}{" "}
          <TextLink href="/docs/benchmark">{text.facts.method}</TextLink>
        </p>
      </div>
    </section>
  );
}

function WorksWith({ text }: LandingProps) {
  const { works } = text;
  return (
    <section className="below-first-screen mx-auto grid max-w-site gap-4 px-4 pt-12 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-2">
        <div className="grid gap-0.5">
          <h2 className="text-xl font-semibold">{works.title}</h2>
          <p className="text-muted">{works.lead}</p>
        </div>
        <TextLink href="/docs">{text.readDocs}</TextLink>
      </header>
      <ul className="flex flex-wrap gap-2">
        {testedClients.map((client) => (
          <li key={client} className="flex items-baseline gap-2 rounded-md border px-3 py-1.5">
            <span className="font-medium">{clientNames[client]}</span>
            <span className="text-xs text-muted">{protocolKits[protocolOfClient[client]].name}</span>
          </li>
        ))}
      </ul>
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
    <section className="below-first-screen mx-auto grid max-w-site gap-8 px-4 py-16 sm:px-6">
      <h2 className="text-xl font-semibold">{props.text.title}</h2>
      <ul className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
        {features.map((name) => {
          const Icon = featureIcons[name];
          return (
            <li key={name} className="grid content-start gap-2">
              <span className="flex size-9 items-center justify-center rounded-md bg-primary-soft text-primary">
                <Icon aria-hidden className="size-5" />
              </span>
              <h3 className="text-lg font-semibold">{props.text[name].title}</h3>
              <p className="text-sm leading-6 text-muted">{props.text[name].body}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The name that the picture shows. */
const PICTURED = "Tollgate";

const themeClasses = { light: "only-light", dark: "only-dark" };

/** A page of the console in the theme of this page; loaded when it is scrolled to. */
function ConsolePicture({ text }: { text: Messages["site"]["picture"] }) {
  return (
    <section className="below-first-screen mx-auto grid max-w-site gap-6 px-4 pb-16 sm:px-6">
      <div className="grid gap-0.5">
        <h2 className="text-xl font-semibold">{text.title}</h2>
        <p className="text-muted">{text.lead}</p>
      </div>
      {(["light", "dark"] as const).map((theme) => (
        <picture key={theme} className={themeClasses[theme]}>
          <img
            src={`/screenshots/usage-${theme}.webp`}
            alt={text.alt}
            width={1440}
            height={900}
            loading="lazy"
            decoding="async"
            className="h-auto w-full rounded-lg border shadow-float"
          />
        </picture>
      ))}
    </section>
  );
}

const SHOWN_MODELS = 6;

function SomeModels(props: LandingProps) {
  const { text, locale } = props;
  return (
    <section className="below-first-screen mx-auto grid max-w-site gap-6 px-4 pb-16 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-2">
        <div className="grid gap-0.5">
          <h2 className="text-xl font-semibold">{text.modelsTitle}</h2>
          <p className="text-muted">{text.modelsLead}</p>
        </div>
        <TextLink href="/models">{plural(text.allModels, props.models.length, locale)}</TextLink>
      </header>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {props.models.slice(0, SHOWN_MODELS).map((model) => (
          <li key={model.id}>
            <Link
              href={`/models?model=${encodeURIComponent(model.id)}`}
              className="grid h-full content-start gap-1 rounded-lg border p-4 hover:bg-hover"
            >
              <code className="font-medium break-all">{model.id}</code>
              <span className="text-sm text-muted">{model.displayName}</span>
              <span className="tabular text-sm">
                {fill(text.modelPrices[model.kind], {
                  input: formatCnyExact(model.prices.input, locale),
                  output: formatCnyExact(model.prices.output, locale),
                })}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
