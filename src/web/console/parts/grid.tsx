/** A list of any length as a grid: only rows in view are drawn, and everything can be done with the keyboard. */
import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { PagedList } from '#web/console/data/usePages'
import { Icon } from './icon'
import { useRows, useShown } from './useRows'

export type GridColumn<Row> = {
  /** A class with its width, and the order in which it leaves a narrow grid. */
  name: string
  title: string
  isNumber?: boolean
  /** The name by which the list is sorted, and the direction to begin with. */
  sort?: { by: string; first: 'asc' | 'desc' }
  cell(row: Row): ComponentChildren
}

export type Sort = { by: string; order: 'asc' | 'desc' }

type Props<Row> = {
  label: string
  list: PagedList<Row>
  /** With another one the person begins at another row. */
  listKey: string
  /** The first one names the row. */
  columns: readonly GridColumn<Row>[]
  keyOf(row: Row): string
  /** Of the row whose details are shown. */
  selected: string | undefined
  sort: Sort
  onSort(sort: Sort): void
  /** Shows the details of a row: Space, or a press. */
  onSelect(row: Row): void
  /** Goes to the page of a row: Enter, or two presses. */
  onOpen(row: Row): void
  /** The row of the list that has the tab stop, to begin with. */
  initial: number
  onMove(at: number): void
  /** Gets the rows in view. */
  range: Signal<RowRange>
}

export type RowRange = { from: number; to: number }

const moves: Readonly<Record<string, (at: number, screen: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  j: (at) => at + 1,
  k: (at) => at - 1,
  PageDown: (at, screen) => at + screen,
  PageUp: (at, screen) => at - screen,
  Home: () => 0,
  End: (_at, _screen, last) => last,
}

export function Grid<Row>(props: Props<Row>) {
  const { label, list, listKey, columns, keyOf, selected, sort, onSort, onSelect, onOpen, initial, onMove, range } =
    props
  const total = list.total ?? 0
  const [current, setCurrent] = useState(initial)
  const { box, drawn, height, view, reveal, perScreen } = useRows(total, Math.min(current, total - 1))
  useShown(view, (from, to) => {
    range.value = { from, to: Math.max(from, to) }
    list.show(from, to)
  })
  const focusNext = useRef(false)
  const body = useRef<HTMLTableSectionElement>(null)
  const begun = useRef<string | undefined>(undefined)

  useLayoutEffect(() => {
    if (list.isLoading || !total || begun.current === listKey) return
    begun.current = listKey
    const first = Math.min(initial, total - 1)
    setCurrent(first)
    if (box.current) box.current.scrollTop = 0
    reveal(first)
  })
  const elementOf = (at: number) => body.current?.querySelector<HTMLElement>(`[data-row="${at}"]`)
  // Before the row with the focus until now may leave the page.
  useLayoutEffect(() => {
    if (!focusNext.current) return
    focusNext.current = false
    elementOf(current)?.focus({ preventScroll: true })
  })

  const moveTo = (at: number) => {
    const next = Math.max(0, Math.min(total - 1, at))
    reveal(next)
    const element = elementOf(next)
    // A row that is not drawn gets the focus as soon as it is.
    if (element) element.focus({ preventScroll: true })
    else focusNext.current = true
    setCurrent(next)
    onMove(next)
    const row = list.rowAt(next)
    // The details follow the row, if they are open.
    if (selected !== undefined && row && keyOf(row) !== selected) onSelect(row)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isRow = event.target instanceof HTMLElement && event.target.hasAttribute('data-row')
    if (!isRow || event.altKey || event.metaKey) return
    const row = list.rowAt(current)
    const move = moves[event.key]
    if (event.ctrlKey && event.key === 'ArrowUp') box.current?.querySelector<HTMLElement>('thead button')?.focus()
    else if (move) moveTo(move(current, perScreen, total - 1))
    else if (event.ctrlKey) return
    else if (event.key === 'Enter' && row) onOpen(row)
    else if (event.key === ' ' && row) onSelect(row)
    else return
    event.preventDefault()
  }
  const onHeadKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    moveTo(current)
  }

  let at = 0
  const lines: ComponentChildren[] = []
  for (const n of drawn) {
    if (n > at) lines.push(<Gap key={`to ${n}`} height={(n - at) * height} />)
    lines.push(line(n))
    at = n + 1
  }
  if (total > at) lines.push(<Gap key="rest" height={(total - at) * height} />)

  function line(n: number) {
    const row = list.rowAt(n)
    const isSelected = row !== undefined && keyOf(row) === selected
    return (
      <tr
        key={n}
        data-row={n}
        tabIndex={n === Math.min(current, total - 1) ? 0 : -1}
        aria-rowindex={n + 2}
        aria-selected={isSelected}
        class={isSelected ? 'selected' : undefined}
        onFocus={() => {
          if (n === current) return
          setCurrent(n)
          onMove(n)
        }}
        onClick={(event) => {
          if (row && !(event.target instanceof Element && event.target.closest('a'))) onSelect(row)
        }}
        onDblClick={() => row && onOpen(row)}
      >
        {columns.map(({ name, isNumber, cell }, index) => {
          const cls = isNumber ? `${name} num` : name
          const content = row ? cell(row) : <span class="bone" aria-hidden="true" />
          return index === 0 ? (
            <th key={name} scope="row" class={cls}>
              {content}
            </th>
          ) : (
            <td key={name} class={cls}>
              {content}
            </td>
          )
        })}
      </tr>
    )
  }

  return (
    <div class={list.isLoading ? 'gridbox stale' : 'gridbox'} ref={box} aria-busy={list.isLoading}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its rows are moved through by keys. */}
      <table class="grid" role="grid" aria-label={label} aria-rowcount={total + 1} onKeyDown={onKeyDown}>
        <thead onKeyDown={onHeadKey}>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>{lines}</tbody>
      </table>
    </div>
  )
}

/** The room of rows that are not drawn. */
// biome-ignore lint/a11y/noAriaHiddenOnFocusable: it cannot be focused.
const Gap = ({ height }: { height: number }) => <tr class="gap" aria-hidden="true" style={{ height: `${height}px` }} />

type HeadProps<Row> = { column: GridColumn<Row>; sort: Sort; onSort(sort: Sort): void }

function Head<Row>({ column: { name, title, isNumber, sort: own }, sort, onSort }: HeadProps<Row>) {
  const isSorted = own !== undefined && own.by === sort.by
  const order = isSorted ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined
  const turned = sort.order === 'asc' ? 'desc' : 'asc'
  return (
    <th scope="col" class={isNumber ? `${name} num` : name} aria-sort={order}>
      {own ? (
        <button type="button" class="sort" onClick={() => onSort({ by: own.by, order: isSorted ? turned : own.first })}>
          {title}
          {order && <Icon name={order} />}
        </button>
      ) : (
        title
      )}
    </th>
  )
}
