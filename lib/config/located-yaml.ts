import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument, visit } from "yaml";

/** A path into the document, as zod reports it. */
export type YamlPath = readonly PropertyKey[];

/** A YAML document with the line and column of each part. */
export class LocatedYaml {
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();
  readonly #file: string;
  /** Every syntax problem, with its position. */
  readonly problems: string[];

  constructor(file: string, text: string, environment: Readonly<Record<string, string | undefined>>) {
    this.#file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, merge: true });
    const problems = [...this.#document.errors, ...this.#document.warnings];
    this.problems = problems.map((fault) => `${this.#at(fault.pos[0])} ${fault.message}`);
    if (this.problems.length === 0) this.#substitute(environment);
  }

  /** The document as plain values; an empty one is an empty object. */
  value(): unknown {
    return this.#document.toJS({ maxAliasCount: 100 }) ?? {};
  }

  /** `file:line:column` of the part at a path, or of the nearest part above it. */
  at(place: YamlPath): string {
    for (let length = place.length; length > 0; length -= 1) {
      const node = this.#document.getIn(place.slice(0, length), true) as Node | undefined; // keepScalar gives nodes
      if (node?.range) return this.#at(node.range[0]);
    }
    return this.#at(0);
  }

  /** `file:line:column` of a key in the map at a path. */
  atKey(place: YamlPath, key: string): string {
    const map = place.length === 0 ? this.#document.contents : this.#document.getIn(place, true);
    const pair = isMap(map)
      ? map.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    const range = isScalar(pair?.key) ? pair.key.range : undefined;
    return range ? this.#at(range[0]) : this.at(place);
  }

  #at(offset: number): string {
    const { line, col } = this.#lines.linePos(offset);
    return `${this.#file}:${line}:${col}`;
  }

  #substitute(environment: Readonly<Record<string, string | undefined>>): void {
    visit(this.#document, {
      Scalar: (key, node) => {
        if (key === "key" || typeof node.value !== "string") return;
        node.value = node.value.replace(/\$\{([^}]*)\}/g, (_, name: string) => {
          const text = environment[name];
          if (text !== undefined && text !== "") return text;
          this.problems.push(`${this.#at(node.range?.[0] ?? 0)} \${${name}} is not set in the environment`);
          return "";
        });
      },
    });
  }
}
