import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type FieldValues, FormProvider, useForm } from "react-hook-form";
import { describe, expect, test } from "vitest";
import { PriceFields } from "@/components/admin/models/price-fields";
import { dictionaries } from "@/components/i18n/dictionaries";
import type { Locale } from "@/components/i18n/locale";
import { LanguageProvider } from "@/components/i18n/provider";
import type { ModelKind } from "@/lib/protocols/protocol";
import type { DeclaredPrices } from "@/lib/shared/prices/declared-prices";
import { priceDraftOf } from "@/lib/shared/prices/price-units";

const own = { input: 600, output: 3000, tiers: [{ above: 1_000, input: 1, output: 2 }] };
const full: DeclaredPrices = {
  ...own,
  cacheWrite1h: 5,
  perRequest: 1,
  services: { priority: own, flex: { factor: 0.5 } },
  windows: [
    { from: "16:30", to: "00:30", timeZone: "UTC", factor: 0.5 },
    { from: "00:30", to: "08:00", timeZone: "Asia/Shanghai", ...own },
  ],
};

function Form({ values, children }: { values: object; children?: ReactNode }) {
  const form = useForm<FieldValues>({ defaultValues: values });
  return createElement(FormProvider, { ...form, children });
}

function render(
  prices: DeclaredPrices | null,
  kind: ModelKind = "generation",
  locale: Locale = "en",
): string {
  const costs = [{ cost: priceDraftOf(prices) }];
  const values = { ...priceDraftOf(prices), routes: costs };
  const fields = [
    createElement(PriceFields, { key: "prices", kind, now: null }),
    createElement(PriceFields, { key: "cost", kind, now: null, prefix: "routes.0.cost." }),
  ];
  const language = { locale, timeZone: "UTC", numbers: "full", renderedAtMs: 0, isPhone: false } as const;
  const children = createElement(Form, { values }, fields);
  return renderToStaticMarkup(
    createElement(LanguageProvider, { ...language, messages: dictionaries[locale], children }),
  );
}

/** The names of all fields, as a screen reader tells them. */
function labelsOf(html: string): string[] {
  const boxes = [...html.matchAll(/<input type="checkbox"[^>]*aria-label="([^"]*)"/g)];
  const fields = [...html.matchAll(/<label for="[^"]*"[^>]*>([^<]*)</g)];
  return [...fields, ...boxes].map(([, label = ""]) => label);
}

function openSections(html: string): string[] {
  return [...html.matchAll(/<details[^>]* open=""[^>]*><summary[^>]*>.*?<\/svg>([^<]*)</g)].map(
    ([, heading = ""]) => heading,
  );
}

describe("the form of prices", () => {
  test.each(["en", "zh-CN"] as const)("gives every field a name of its own: %s", (locale) => {
    const labels = labelsOf(render(full, "generation", locale));
    expect(labels.length).toBeGreaterThan(150);
    expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
  });

  test("begins with three fields", () => {
    const html = render(null);
    expect(openSections(html)).toEqual([]);
    const visible = html.replaceAll(/<details.*?<\/details>/g, "");
    expect(labelsOf(visible)).toEqual([
      "Input",
      "Output",
      "Cache read",
      "Provider cost: Input",
      "Provider cost: Output",
      "Provider cost: Cache read",
    ]);
  });

  test("is open where something is typed", () => {
    const ofPrices = openSections(render(full)).filter((heading) => !heading.startsWith("Provider cost"));
    expect(ofPrices).toEqual([
      "More kinds of tokens",
      "Long prompts",
      "Service tiers",
      "priority: Long prompts",
      "Times of the week",
      "Time 2: Long prompts",
    ]);
  });

  test("of embeddings has no price but that of the input", () => {
    const labels = labelsOf(render(full, "embedding"));
    expect(labels).toContain("priority: Tier 1: Input");
    expect(labels.filter((label) => /Output|Cache|Reasoning|Web search/.test(label))).toEqual([]);
  });
});
