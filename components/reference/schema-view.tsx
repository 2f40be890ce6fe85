"use client";

import { createContext, useContext } from "react";
import { fill } from "../i18n/fill";
import type { Messages } from "../i18n/messages";
import { useMessages } from "../i18n/provider";
import { CodeWords } from "../ui/code-words";
import { Fold } from "../ui/fold";
import { asSchema, type Schema } from "./model";

const MAX_DEPTH = 6;

/** The document's named schemas. */
export const ComponentsContext = createContext<Record<string, Schema>>({});

/** The members of a schema, nested ones folded. */
export function SchemaView(props: { schema: Schema; depth?: number }) {
  const components = useContext(ComponentsContext);
  const text = useMessages("reference");
  const depth = props.depth ?? 0;
  const schema = membersOf(props.schema, components);
  if (schema === null) {
    return <p className="font-mono text-xs wrap-anywhere">{typeText(props.schema, components, text)}</p>;
  }
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  return (
    <dl className="grid gap-2">
      {Object.entries(asSchema(schema.properties) ?? {}).map(([name, member]) => (
        <Member
          key={name}
          name={name}
          schema={asSchema(member) ?? {}}
          required={required.includes(name)}
          depth={depth}
        />
      ))}
    </dl>
  );
}

function Member(props: { name: string; schema: Schema; required: boolean; depth: number }) {
  const text = useMessages("reference");
  const components = useContext(ComponentsContext);
  const { name, schema, depth } = props;
  const inner = membersOf(schema, components);
  return (
    <div className="grid gap-0.5 border-l-2 pl-3 text-sm">
      <dt className="flex flex-wrap items-baseline gap-x-2">
        <code className="font-mono text-xs font-semibold break-all">{name}</code>
        <span className="font-mono text-xs wrap-anywhere text-muted">
          {typeText(schema, components, text)}
        </span>
        {props.required && <span className="text-xs text-danger">{text.required}</span>}
      </dt>
      <dd className="grid gap-1">
        <Description of={schema} />
        {schema.default !== undefined && (
          <p className="font-mono text-xs wrap-anywhere text-muted">
            {fill(text.default, { value: JSON.stringify(schema.default) })}
          </p>
        )}
        {inner !== null && depth < MAX_DEPTH && (
          <Fold heading="{ … }" headingClass="min-h-6 text-xs text-primary">
            <div className="mt-2">
              <SchemaView schema={schema} depth={depth + 1} />
            </div>
          </Fold>
        )}
      </dd>
    </div>
  );
}

/** What a field means, in the reader's language where that is known. */
export function Description(props: { of: Schema | null }) {
  const { fields } = useMessages("reference");
  const description = props.of?.description;
  if (typeof description !== "string") return null;
  return (
    <p className="text-muted">
      <CodeWords text={fields[description] ?? description} />
    </p>
  );
}

/** The object schema of a schema, a reference, list items or a nullable type; null without one. */
function membersOf(schema: Schema, components: Record<string, Schema>): Schema | null {
  const own = follow(schema, components);
  if (asSchema(own.properties) !== null) return own;
  const item = asSchema(own.items);
  if (item !== null) return membersOf(item, components);
  const values = asSchema(own.additionalProperties);
  if (values !== null && Object.keys(values).length > 0) return membersOf(values, components);
  for (const choice of choicesOf(own)) {
    const found = membersOf(choice, components);
    if (found !== null) return found;
  }
  return null;
}

function follow(schema: Schema, components: Record<string, Schema>): Schema {
  const name = nameOf(schema);
  return name === null ? schema : (components[name] ?? schema);
}

function nameOf(schema: Schema): string | null {
  return typeof schema.$ref === "string" ? (schema.$ref.split("/").at(-1) ?? null) : null;
}

function choicesOf(schema: Schema): Schema[] {
  const choices: unknown[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return choices.map(asSchema).filter((choice) => choice !== null);
}

/** A schema's type in a few words. */
function typeText(schema: Schema, components: Record<string, Schema>, text: Messages["reference"]): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = choicesOf(schema);
  if (choices.length > 0) return choices.map((choice) => typeText(choice, components, text)).join(" | ");
  const item = asSchema(schema.items);
  if (schema.type === "array") {
    return fill(text.listOf, { type: item === null ? text.anything : typeText(item, components, text) });
  }
  const values = asSchema(schema.additionalProperties);
  if (schema.type === "object" && values !== null && asSchema(schema.properties) === null) {
    return fill(text.mapOf, { type: typeText(values, components, text) });
  }
  const types: unknown[] = [schema.type].flat();
  if (!types.every((type) => typeof type === "string")) return text.anything;
  const limits = typeof schema.format === "string" ? schema.format : rangeText(schema);
  return limits === null ? types.join(" | ") : `${types.join(" | ")} (${limits})`;
}

/** Between what a number must be; null where that is open. */
function rangeText({ minimum, maximum }: Schema): string | null {
  if (typeof minimum === "number" && typeof maximum === "number") return `${minimum}–${maximum}`;
  if (typeof minimum === "number") return `≥ ${minimum}`;
  return typeof maximum === "number" ? `≤ ${maximum}` : null;
}
