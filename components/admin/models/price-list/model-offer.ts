import type { Offer } from "@/lib/shared/prices/offers";
import type { AdminModel } from "../../../api/admin/types";

/** What a price list says of a model of this gateway. */
export type ModelOffer = Offer<AdminModel>;
