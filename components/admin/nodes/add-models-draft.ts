import { typedText, typedYuan } from "@/lib/shared/typed";
import type { NodeModels } from "../../api/admin/types";

/** One model of a node's list. */
export type ListedModel = NodeModels["models"][number];

/** A model that is to be added, as typed. Units: yuan per million tokens. */
export interface PickedModel {
  listed: ListedModel;
  alias: string;
  prices: { input: string; output: string };
}

/** The form: the ticked models under the name of the API. */
export type AddModelsDraft = { models: PickedModel[] };

/** A ticked model, without prices. */
export function pickedOf(listed: ListedModel): PickedModel {
  return { listed, alias: aliasOf(listed.id), prices: { input: "", output: "" } };
}

/** The alias that a model of a node gets unless another is typed: its id without the folders of its provider. */
export function aliasOf(id: string): string {
  return id
    .replace(/^(?:accounts\/[^/]+\/)?models\//, "")
    .replace(/[^A-Za-z0-9._:/@-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 128);
}

/** Whether nothing is typed as the price of a model. */
export function isUnpriced({ listed, prices }: PickedModel): boolean {
  return prices.input.trim() === "" && (listed.kind === "embedding" || prices.output.trim() === "");
}

/** What is sent: an alias with a route to the node for each ticked model, and prices where they are typed. */
export function modelsBody({ models }: AddModelsDraft, node: string) {
  return {
    models: models.map((picked) => {
      const { id, name, kind, contextWindow } = picked.listed;
      const routes = [{ node, model: id }];
      const model = { alias: typedText(picked.alias), kind, displayName: name ?? "", contextWindow, routes };
      if (isUnpriced(picked)) return model;
      const input = typedYuan(picked.prices.input);
      // Embeddings cost their input only.
      const output = kind === "embedding" ? 0 : typedYuan(picked.prices.output);
      return { ...model, prices: { input, output } };
    }),
  };
}
