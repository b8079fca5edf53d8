import type { FunctionComponent } from 'preact'
import type { Settings } from '#web/app/form/stage'
import type { WidgetProps } from '#web/app/form/widget'
import { useSpeaker } from '#web/app/speaking'
import { Button } from '#web/ui/components'

type Row = Readonly<Record<string, unknown>>

/** The rows of a table, each as a card: on a phone a table of columns could not be filled in. */
export function TableWidget({ cell: Cell, ...props }: WidgetProps & { cell: FunctionComponent<WidgetProps> }) {
  const { id, label, settings, value, change, isReadOnly } = props
  const { say } = useSpeaker()
  const rows: readonly Row[] = Array.isArray(value) ? value : []
  const columns = settings.columns ?? []
  const put = (next: readonly Row[]) => change(next.length ? next : null)
  const set = (at: number, column: string, cell: unknown) =>
    put(
      rows.map((row, n) => {
        if (n !== at) return row
        const { [column]: _, ...rest } = row
        return cell === null ? rest : { ...rest, [column]: cell }
      }),
    )
  const isFull = settings.maxRows != null && rows.length >= settings.maxRows
  return (
    <div class="table-rows">
      {rows.map((row, at) => (
        // Rows have no names: where they stand is what they are.
        <fieldset class="row-card" key={at}>
          <legend>{say('form.row', { number: at + 1 })}</legend>
          {columns.map((column) => {
            const cell = `${id}-${at}-${column.id}`
            return (
              <div class="cell" key={column.id}>
                <label for={cell}>
                  <bdi>{column.label}</bdi>
                </label>
                <Cell
                  {...props}
                  id={cell}
                  label={column.label}
                  settings={column as Settings}
                  value={row[column.id]}
                  change={(answer) => set(at, column.id, answer)}
                  isRequired={false}
                />
              </div>
            )
          })}
          {!isReadOnly && (
            <Button
              label={say('form.removeRowOf', { number: at + 1, question: label })}
              onPress={() => put(rows.filter((_, n) => n !== at))}
            >
              {say('form.removeRow')}
            </Button>
          )}
        </fieldset>
      ))}
      {!isReadOnly && (
        <Button id={rows.length ? undefined : id} isDisabled={isFull} onPress={() => change([...rows, {}])}>
          {say('form.addRow')}
        </Button>
      )}
    </div>
  )
}
