"use client";

import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { emptyWindow } from "@/lib/shared/prices/card-draft";
import { MAX_WINDOWS } from "@/lib/shared/prices/declared-prices";
import { SelectField, TextField } from "../../../forms/fields";
import { fill } from "../../../i18n/fill";
import { useFormat, useMessages } from "../../../i18n/provider";
import { ChangeFields } from "./change-fields";
import { DaysField } from "./days-field";
import { type PricePart, useNamesWithin } from "./part";
import { RowList } from "./row-list";
import { hasEntries, PriceSection } from "./section";

/** Prices of parts of the week, folded away where there are none. */
export function WindowSection(props: PricePart) {
  const text = useMessages("adminModels").form;
  const { timeZone } = useFormat();
  const zones = useZones();
  const within = useNamesWithin(props.nameOf);
  const name = `${props.prefix}windows`;
  return (
    <PriceSection
      label={props.nameOf(text.windows)}
      hint={text.windowsHint}
      names={[name]}
      isUsed={hasEntries}
    >
      <RowList
        name={name}
        nameOf={props.nameOf}
        most={MAX_WINDOWS}
        addLabel={text.addWindow}
        empty={() => emptyWindow(timeZone)}
        titleOf={(n) => fill(text.window, { n })}
        removeLabelOf={(n) => fill(text.removeWindow, { n })}
      >
        {(index) => (
          <WindowFields
            key={`${name}.${index}`}
            kind={props.kind}
            prefix={`${name}.${index}.`}
            nameOf={within(fill(text.window, { n: index + 1 }))}
            zones={zones}
          />
        )}
      </RowList>
    </PriceSection>
  );
}

function WindowFields({ zones, ...part }: PricePart & { zones: string[] }) {
  const text = useMessages("adminModels").form;
  const { prefix, nameOf } = part;
  const zone: string = useWatch({ name: `${prefix}timeZone` });
  const options = [...new Set([zone, "UTC", ...zones])].map((value) => ({ value, label: value }));
  return (
    <>
      <DaysField name={`${prefix}days`} label={nameOf(text.days)} nameOf={nameOf} />
      <div className="grid grid-cols-2 gap-3">
        <TextField
          name={`${prefix}from`}
          label={nameOf(text.from)}
          rule={text.fromRule}
          placeholder="16:30"
        />
        <TextField
          name={`${prefix}to`}
          label={nameOf(text.to)}
          hint={text.toHint}
          rule={text.toRule}
          placeholder="00:30"
        />
      </div>
      <SelectField name={`${prefix}timeZone`} label={nameOf(text.timeZone)} options={options} />
      <ChangeFields {...part} label={nameOf(text.change)} />
    </>
  );
}

/** The zones that the browser knows; none while the server renders. */
function useZones(): string[] {
  const [zones, setZones] = useState<string[]>([]);
  useEffect(() => setZones(Intl.supportedValuesOf("timeZone")), []);
  return zones;
}
