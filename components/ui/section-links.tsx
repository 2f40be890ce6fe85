"use client";

/** A part of a long page: the id of its element, and its title. */
export interface Section {
  id: string;
  title: string;
}

/** Links to the parts of a long page, beside it where there is room. `label`: what they are called to screen readers. */
export function SectionLinks(props: { sections: readonly Section[]; label: string }) {
  return (
    <nav aria-label={props.label} className="sticky top-16 max-lg:hidden">
      <ul className="grid gap-0.5">
        {props.sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-8 items-center rounded-md px-3 text-muted hover:bg-hover hover:text-fg"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
