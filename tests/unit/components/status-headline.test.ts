import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { site } from "@/components/i18n/en/site";
import { StatusHeadline } from "@/components/models/status-headline";

type State = "operational" | "degraded" | "down" | "few" | "idle";

/** The sentences above the list of models of the states. */
function sentences(...states: State[]): string[] {
  const html = renderToStaticMarkup(
    createElement(StatusHeadline, {
      models: states.map((state, index) => ({ id: `m${index}`, state })),
      text: site.status,
      locale: "en",
      list: (names) => names.join(" and "),
    }),
  );
  return [...html.matchAll(/<p[^>]*>([^<]*)<\/p>/g)].map(([, words]) => words ?? "");
}

test("says that all models work only when each of them does", () => {
  expect(sentences("operational", "operational")).toEqual(["All models are working."]);
  expect(sentences("operational", "idle")).toEqual(["No model is failing."]);
  expect(sentences("few", "operational", "few")).toEqual([
    "No model is failing.",
    "Too few requests to tell: 2 of 3 models (m0 and m2).",
  ]);
});

test("names the models that fail, the worst first", () => {
  expect(sentences("operational", "degraded", "down", "few")).toEqual([
    "Some models fail most requests.",
    "Most requests fail: 1 of 4 models (m2).",
    "Some requests fail: 1 of 4 models (m1).",
    "Too few requests to tell: 1 of 4 models (m3).",
  ]);
});

test("says once that nothing can be told", () => {
  expect(sentences("few", "idle")).toEqual(["Too few requests in the last 24 hours to say."]);
  expect(sentences("idle")).toEqual(["Nothing was asked in the last 24 hours."]);
  expect(sentences()).toEqual(["Nothing was asked in the last 24 hours."]);
});
