import type { OpenApiDocument } from "@/lib/api/openapi/document";
import type { Messages } from "../i18n/messages";
import { asSchema, groupsOf, jsonContent, type Schema, type ShownOperation } from "../reference/model";
import type { DocsPage } from "../search/search-docs";

type Text = Pick<Messages["reference"], "summaries" | "fields">;
type Components = Record<string, Schema>;

/** Every operation of the API reference with its fields, for the search of the docs. */
export function operationPages(document: OpenApiDocument, text: Text): DocsPage[] {
  return groupsOf(document).flatMap(({ operations }) =>
    operations.map((operation) => ({
      href: `/docs/api#${operation.operationId}`,
      title: text.summaries[operation.operationId] ?? operation.summary,
      note: `${operation.method.toUpperCase()} ${operation.path}`,
      passages: passagesOf(operation, document.components.schemas, text),
    })),
  );
}

function passagesOf(operation: ShownOperation, components: Components, text: Text): string[] {
  const seen = new Set<string>();
  const parameters = (operation.parameters ?? []).map((parameter) =>
    fieldText(String(parameter.name), parameter, text),
  );
  const contents = [operation.requestBody, ...Object.values(operation.responses)].map(
    (part) => jsonContent(part)?.schema,
  );
  const fields = contents.flatMap((schema) => fieldsIn(schema, components, seen, text));
  const own = [
    operation.description?.replaceAll("`", "") ?? "",
    ...parameters,
    ...fields,
    operation.operationId,
  ];
  return [...new Set(own.filter((passage) => passage !== ""))];
}

/** The members of a schema and of what it holds, each named schema once. */
function fieldsIn(value: unknown, components: Components, seen: Set<string>, text: Text): string[] {
  const schema = asSchema(value);
  if (schema === null) return [];
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.split("/").at(-1) ?? "";
    if (seen.has(name)) return [];
    seen.add(name);
    return fieldsIn(components[name], components, seen, text);
  }
  const members = Object.entries(asSchema(schema.properties) ?? {}).flatMap(([name, member]) => [
    fieldText(name, asSchema(member) ?? {}, text),
    ...fieldsIn(member, components, seen, text),
  ]);
  const choices: unknown[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const inner = [schema.items, schema.additionalProperties, ...choices];
  return [...members, ...inner.flatMap((one) => fieldsIn(one, components, seen, text))];
}

function fieldText(name: string, { description }: Schema, { fields }: Text): string {
  if (typeof description !== "string") return name;
  return `${name}: ${(fields[description] ?? description).replaceAll("`", "")}`;
}
