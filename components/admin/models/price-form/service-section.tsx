"use client";

import { pricedServices } from "@/lib/kernel/usage";
import type { ChangeDraft } from "@/lib/shared/prices/card-draft";
import { GroupErrors } from "../../../forms/fields";
import { useMessages } from "../../../i18n/provider";
import { ChangeFields } from "./change-fields";
import { type PricePart, useNamesWithin } from "./part";
import { PriceSection } from "./section";

/** Prices of the service tiers that requests may ask for. */
export function ServiceSection(props: PricePart & { ofRoute: boolean }) {
  const text = useMessages("adminModels").form;
  const { services } = useMessages("prices");
  const { nameOf, ofRoute, kind } = props;
  const within = useNamesWithin(nameOf);
  const name = `${props.prefix}services`;
  return (
    <PriceSection<ChangeDraft>
      label={nameOf(text.services)}
      hint={text.servicesHint}
      names={pricedServices.map((service) => `${name}.${service}`)}
      isUsed={(changes) => changes.some(({ by }) => by !== "none")}
    >
      {pricedServices.map((service) => (
        <ChangeFields
          key={service}
          kind={kind}
          prefix={`${name}.${service}.`}
          label={nameOf(services[service])}
          nameOf={within(services[service])}
          none={ofRoute ? text.unknown : text.by.none}
        />
      ))}
      <GroupErrors name={name} />
    </PriceSection>
  );
}
