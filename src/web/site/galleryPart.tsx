import type { ComponentChildren } from 'preact'

const anchorOf = (title: string) => `part-${title.toLowerCase().replaceAll(' ', '-')}`

/** A component with its states. */
export const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="card" id={anchorOf(title)} aria-labelledby={`${anchorOf(title)}-title`}>
    <h2 id={`${anchorOf(title)}-title`}>{title}</h2>
    {children}
  </section>
)
