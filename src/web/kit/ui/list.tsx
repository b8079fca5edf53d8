import type { ComponentChildren } from 'preact'

type Props<T> = {
  label: string
  items: readonly T[]
  keyOf: (item: T) => string
  titleOf: (item: T) => string
  notesOf?: (item: T) => readonly string[]
  actionOf?: (item: T) => ComponentChildren
}

/** Things one below the other, each with what can be done with it. */
export const List = <T,>({ label, items, keyOf, titleOf, notesOf, actionOf }: Props<T>) => (
  <ul class="list" aria-label={label}>
    {items.map((item) => (
      <li key={keyOf(item)}>
        <div class="list-text">
          <p class="list-title">
            <bdi>{titleOf(item)}</bdi>
          </p>
          {notesOf && (
            <p class="note dotted">
              {notesOf(item).map((note) => (
                <span key={note}>
                  <bdi>{note}</bdi>
                </span>
              ))}
            </p>
          )}
        </div>
        {actionOf?.(item)}
      </li>
    ))}
  </ul>
)
