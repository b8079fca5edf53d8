import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export type Column<T> = {
  title: string
  /** Numbers are aligned at their end. */
  isNumber?: boolean
  cell: (row: T) => ComponentChildren
}

type Props<T> = { caption: string; columns: readonly Column<T>[]; rows: readonly T[]; keyOf: (row: T) => string }

/** A table. On a narrow screen each row becomes a card, with the title of the column before each value. */
export function Table<T>({ caption, columns, rows, keyOf }: Props<T>) {
  const id = useId()
  return (
    <div class="table">
      <table aria-labelledby={id}>
        <caption id={id}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, isNumber, cell }) => (
                <td key={title} class={isNumber ? 'number' : undefined}>
                  <span class="column" aria-hidden="true">
                    {title}
                  </span>
                  <bdi>{cell(row)}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
