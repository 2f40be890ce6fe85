import fc from "fast-check";

/** A JSON Schema as the document has them, without references. */
export interface Schema {
  [member: string]: unknown;
}

type Values = fc.Arbitrary<unknown>;

/** Values that a schema of the document allows, its bounds among them. Throws: for a form that it does not know. */
export function valuesOf(schema: Schema): Values {
  const { anyOf, type } = schema;
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if (type === "string") return textsOf(schema);
  if (Array.isArray(anyOf))
    return fc.oneof(...anyOf.map((choice) => valuesOf({ ...schema, anyOf: undefined, ...choice })));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => valuesOf({ ...schema, type: one })));
  if (type === "integer" || type === "number") return numbersOf(schema);
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "array") return arraysOf(schema);
  if (type === "object") return objectsOf(schema);
  if (type === undefined) return fc.constantFrom<unknown>("any", 1, null, [], {});
  throw new Error(`no values for ${JSON.stringify(schema).slice(0, 200)}`);
}

/** An object schema with its members; absent ones that are not required are left out at times. */
function objectsOf(schema: Schema): Values {
  const properties = Object.entries(asSchema(schema.properties));
  if (properties.length === 0 && schema.propertyNames !== undefined) {
    const names = valuesOf({ type: "string", maxLength: 20, ...asSchema(schema.propertyNames) });
    return fc.dictionary(names.map(String), valuesOf(asSchema(schema.additionalProperties)), { maxKeys: 3 });
  }
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const members = Object.fromEntries(properties.map(([name, member]) => [name, valuesOf(asSchema(member))]));
  return fc.record(members, { requiredKeys: required });
}

function arraysOf(schema: Schema): Values {
  const minLength = numberOr(schema.minItems, 0);
  const maxLength = numberOr(schema.maxItems, minLength + 3);
  const items = valuesOf(asSchema(schema.items));
  const few = fc.array(items, { minLength, maxLength: Math.min(maxLength, minLength + 3) });
  if (maxLength > 300) return few;
  return fc.oneof({ weight: 9, arbitrary: few }, fc.array(items, { minLength: maxLength, maxLength }));
}

function numbersOf(schema: Schema): Values {
  const step = numberOr(schema.multipleOf, schema.type === "integer" ? 1 : 0);
  const min = numberOr(schema.minimum, step === 0 ? -1e6 : -1_000_000);
  const max = numberOr(schema.maximum, 1_000_000);
  const bounds = fc.constantFrom(min, max);
  const inside =
    step === 0
      ? fc.double({ min, max, noNaN: true })
      : fc
          .integer({ min: Math.max(Math.ceil(min / step), -1e9), max: Math.min(Math.floor(max / step), 1e9) })
          .map((steps) => Number((steps * step).toFixed(3)));
  const least = schema.exclusiveMinimum;
  return fc.oneof(inside, bounds).filter((value) => !(typeof least === "number" && value <= least));
}

const formats: Readonly<Record<string, Values>> = {
  date: fc.date({ min: new Date("1970-01-01"), max: new Date("9998-12-31"), noInvalidDate: true }).map(dayOf),
  "date-time": fc
    .record({
      at: fc.date({ min: new Date("1970-01-02"), max: new Date("9998-12-30"), noInvalidDate: true }),
      zone: fc.constantFrom("Z", "+00:00", "-00:00", "+14:00", "-12:00", "+05:45"),
      fraction: fc.constantFrom("", ".5", ".123456"),
    })
    .map(({ at, zone, fraction }) => `${at.toISOString().slice(0, 19)}${fraction}${zone}`),
  uuid: fc.uuid(),
  uri: fc.constantFrom("https://api.example.com/v1", "https://api.example.com", "https://a.example:8443/x/"),
};

function textsOf(schema: Schema): Values {
  if (Array.isArray(schema.anyOf)) {
    return fc.oneof(...schema.anyOf.map((choice) => textsOf({ ...schema, anyOf: undefined, ...choice })));
  }
  const { format, pattern } = schema;
  const fits = (text: unknown) => typeof text === "string" && allows(schema, text);
  if (typeof format === "string") {
    const values = formats[format];
    if (values === undefined) throw new Error(`no values of the format ${format}`);
    return values.filter(fits);
  }
  const minLength = numberOr(schema.minLength, 0);
  const maxLength = numberOr(schema.maxLength, 40);
  // Characters outside the basic plane count once in JSON Schema and twice in JavaScript.
  const unit = fc.constantFrom("a", "Z", "0", " ", "\n", "é", "中", "🙂");
  const free = fc.oneof(
    fc.array(unit, { minLength, maxLength: Math.min(maxLength, minLength + 30) }),
    fc.array(unit, { minLength: Math.min(maxLength, 3_000), maxLength: Math.min(maxLength, 3_000) }),
  );
  const texts = free.map((units) => units.join(""));
  if (typeof pattern !== "string" || [...OPEN].includes(pattern)) return texts.filter(fits);
  return fc.stringMatching(new RegExp(pattern)).filter(fits);
}

/** Patterns that most texts meet. */
const OPEN = new Set(["^[^\\u0000]*$", "\\S"]);

function allows(schema: Schema, text: string): boolean {
  const { length } = [...text];
  return (
    length >= numberOr(schema.minLength, 0) &&
    length <= numberOr(schema.maxLength, Number.POSITIVE_INFINITY) &&
    (typeof schema.pattern !== "string" || new RegExp(schema.pattern, "u").test(text))
  );
}

/** A value just outside a bound of a schema, with a description. */
export interface Beyond {
  bound: string;
  value: unknown;
}

/** One value beyond each bound of one schema, without its members. */
export function beyond(schema: Schema): Beyond[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const step = numberOr(schema.multipleOf, 1);
  const found: Beyond[] = [];
  const note = (bound: string, value: unknown) =>
    found.push({ bound: `${bound} ${JSON.stringify(schema[bound])}`, value });
  if (typeof minimum === "number") note("minimum", minimum - step);
  if (typeof maximum === "number" && Number.isSafeInteger(maximum + step)) note("maximum", maximum + step);
  if (typeof minLength === "number" && minLength > 0) note("minLength", "a".repeat(minLength - 1));
  if (typeof maxLength === "number") note("maxLength", "a".repeat(maxLength + 1));
  if (typeof schema.pattern === "string" && schema.type === "string") note("pattern", "\0");
  if (Array.isArray(schema.enum)) note("enum", "none of these");
  if (typeof schema.format === "string" && schema.type === "string") note("format", "not of this format");
  const item = schema.items === undefined ? "x" : (fc.sample(valuesOf(asSchema(schema.items)), 1)[0] ?? "x");
  if (typeof minItems === "number" && minItems > 0) note("minItems", Array(minItems - 1).fill(item));
  if (typeof maxItems === "number") note("maxItems", Array(maxItems + 1).fill(item));
  if (schema.multipleOf !== undefined) note("multipleOf", step / 10);
  return found;
}

/** Any value as a schema; a value that is not an object gives an empty schema. */
export function asSchema(value: unknown): Schema {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
