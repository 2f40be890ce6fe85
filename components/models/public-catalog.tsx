"use client";

import type { CatalogModel } from "../api/types";
import { givenRows } from "../lists/list-page";
import { useSearchKeys } from "../search/search-keys";
import { ModelCatalog } from "./model-catalog";

/** The models that came with a public page. */
export function PublicCatalog(props: { models: CatalogModel[]; publicUrl: string }) {
  return (
    <div ref={useSearchKeys()}>
      <ModelCatalog source={givenRows(props.models)} publicUrl={props.publicUrl} />
    </div>
  );
}
